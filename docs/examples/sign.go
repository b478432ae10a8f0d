// Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
)

// sign: target is the path with its query; body the bytes that are sent.
func sign(secret, timestamp, method, target string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + method + target))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(sign(os.Getenv("SECRET"), os.Getenv("TIMESTAMP"), os.Getenv("METHOD"), os.Getenv("TARGET"), body))
}
