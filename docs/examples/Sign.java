// Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Sign {
    /** `target` is the path with its query; `body` the bytes that are sent. */
    static String sign(String secret, String timestamp, String method, String target, byte[] body) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((timestamp + method + target).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(mac.doFinal(body));
    }

    public static void main(String[] arguments) throws Exception {
        var env = System.getenv();
        byte[] body = System.in.readAllBytes();
        System.out.println(sign(env.get("SECRET"), env.get("TIMESTAMP"), env.get("METHOD"), env.get("TARGET"), body));
    }
}
