// Prints the X-Signature of a request. The body comes from standard input, byte for byte as it is sent.
using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

static class Program
{
    /// <summary>target is the path with its query; body the bytes that are sent.</summary>
    static string Sign(string secret, string timestamp, string method, string target, byte[] body)
    {
        var message = new MemoryStream();
        message.Write(Encoding.UTF8.GetBytes(timestamp + method + target));
        message.Write(body);
        return Convert.ToHexString(HMACSHA256.HashData(Encoding.UTF8.GetBytes(secret), message.ToArray())).ToLowerInvariant();
    }

    static void Main()
    {
        string Env(string name) => Environment.GetEnvironmentVariable(name) ?? "";
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        Console.WriteLine(Sign(Env("SECRET"), Env("TIMESTAMP"), Env("METHOD"), Env("TARGET"), body.ToArray()));
    }
}
