import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How to run a function of docs/callbacks.md. `prepare` writes it into a folder together with a few lines that call it,
 * and gives the command; the command takes folders with one callback each, and prints true or false for each.
 */
export type Snippet = { missing: () => string | false; prepare: (folder: string, snippet: string) => string[] }

function needs(...commands: [name: string, ...args: string[]][]): () => string | false {
  return () => {
    const absent = commands.find(([name, ...args]) => spawnSync(name, args).status !== 0)
    return absent ? `there is no ${absent[0]} on this machine` : false
  }
}

function file(folder: string, name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

export const RUNTIMES = {
  Shell: {
    missing: needs(['bash', '--version'], ['openssl', 'version']),
    prepare: (folder, snippet) => ['bash', file(folder, 'main.sh', `${snippet}\n${SHELL}`)],
  },
  Node: {
    missing: () => false,
    prepare: (folder, snippet) => [process.execPath, file(folder, 'main.mjs', `${snippet}\n${NODE}`)],
  },
  Python: {
    missing: needs(['python3', '--version']),
    prepare: (folder, snippet) => ['python3', file(folder, 'main.py', `${snippet}\n${PYTHON}`)],
  },
  PHP: {
    missing: needs(['php', '--version']),
    prepare: (folder, snippet) => ['php', file(folder, 'main.php', `${snippet}\n${PHP}`)],
  },
  Java: {
    missing: needs(['java', '--version'], ['java', '--describe-module', 'jdk.compiler']),
    // Java runs the first class of a file, and wants all imports above it.
    prepare: (folder, snippet) => [
      'java',
      file(folder, 'Main.java', snippet.replace('final class Callbacks', `${JAVA}\nfinal class Callbacks`)),
    ],
  },
  'C#': {
    missing: needs(['dotnet', '--version']),
    prepare(folder, snippet) {
      const [major] = spawnSync('dotnet', ['--version'], { encoding: 'utf8' }).stdout.split('.')
      file(folder, 'Callbacks.cs', snippet)
      file(folder, 'Program.cs', CSHARP)
      const properties = `<OutputType>Exe</OutputType><TargetFramework>net${major}.0</TargetFramework>`
      const project = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup></Project>`
      return ['dotnet', 'run', '--project', file(folder, 'snippet.csproj', project), '--']
    },
  },
  Go: {
    missing: needs(['go', 'version']),
    prepare: (folder, snippet) => [
      'go',
      'run',
      file(folder, 'callbacks.go', snippet.replace('package callbacks', 'package main')),
      file(folder, 'main.go', GO),
    ],
  },
} satisfies Record<string, Snippet>

const SHELL = `
for path in "$@"; do
  if verify_callback "$(cat "$path/id")" "$(cat "$path/timestamp")" "$(cat "$path/signature")" "$path/body" "$(cat "$path/secret")"
  then echo true; else echo false; fi
done
`

const NODE = `
import { readFileSync } from 'node:fs'

for (const path of process.argv.slice(2)) {
  const part = (name) => readFileSync(path + '/' + name)
  const headers = {}
  for (const name of ['id', 'timestamp', 'signature']) if (part(name).length > 0) headers['webhook-' + name] = String(part(name))
  console.log(verifyCallback(headers, part('body'), String(part('secret'))))
}
`

const PYTHON = `
import pathlib
import sys

for path in map(pathlib.Path, sys.argv[1:]):
    headers = {f"webhook-{name}": (path / name).read_text("utf-8") for name in ("id", "timestamp", "signature")}
    present = {name: value for name, value in headers.items() if value}
    genuine = verify_callback(present, (path / "body").read_bytes(), (path / "secret").read_text())
    print("true" if genuine else "false")
`

const PHP = `
foreach (array_slice($argv, 1) as $path) {
    $headers = [];
    foreach (['Id', 'Timestamp', 'Signature'] as $name) {
        $value = file_get_contents($path . '/' . strtolower($name));
        if ($value !== '') {
            $headers['Webhook-' . $name] = $value;
        }
    }
    $genuine = verify_callback($headers, file_get_contents($path . '/body'), file_get_contents($path . '/secret'));
    echo $genuine ? "true\\n" : "false\\n";
}
`

const JAVA = `
class Main {
    public static void main(String[] paths) throws Exception {
        for (String path : paths) {
            java.util.function.UnaryOperator<String> header = name -> {
                String value = read(path, name.replace("webhook-", ""));
                return value.isEmpty() ? null : value;
            };
            System.out.println(Callbacks.verify(header, bytes(path, "body"), read(path, "secret")));
        }
    }

    static String read(String path, String name) {
        return new String(bytes(path, name), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String path, String name) {
        try {
            return java.nio.file.Files.readAllBytes(java.nio.file.Path.of(path, name));
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }
}
`

const CSHARP = `
using System;
using System.IO;

static class Program
{
    static void Main(string[] paths)
    {
        foreach (string path in paths)
        {
            string Header(string name)
            {
                string value = File.ReadAllText(Path.Combine(path, name.Replace("webhook-", "")));
                return value == "" ? null : value;
            }
            byte[] body = File.ReadAllBytes(Path.Combine(path, "body"));
            Console.WriteLine(Callbacks.Verify(Header, body, File.ReadAllText(Path.Combine(path, "secret"))) ? "true" : "false");
        }
    }
}
`

const GO = `package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

func main() {
	for _, path := range os.Args[1:] {
		part := func(name string) []byte {
			content, err := os.ReadFile(filepath.Join(path, name))
			if err != nil {
				panic(err)
			}
			return content
		}
		header := http.Header{}
		for _, name := range []string{"id", "timestamp", "signature"} {
			if value := string(part(name)); value != "" {
				header.Set("webhook-"+name, value)
			}
		}
		fmt.Println(Verify(header, part("body"), string(part("secret"))))
	}
}
`
