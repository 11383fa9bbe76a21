import { program } from "../../harness/run_cli.ts";
import type { TempHome } from "../../harness/temp_home.ts";
import { startTokenProxy } from "./token_proxy.ts";

/** A gateway over HTTP that lets in whoever comes: a proxy before it adds the token. */
export interface ServedGateway {
  /** Its endpoint, through the proxy. */
  readonly url: string;
  /** What it has said on stderr. */
  said(): string;
  /** Ends it. */
  close(): Promise<void>;
}

/** Gateways under test are reached with this. */
const TOKEN = "conformance-of-the-gateway";

/** Starts the real program in a home; every server that may run there keeps its own names. */
export async function serveGateway(home: TempHome): Promise<ServedGateway> {
  const tokenFile = await home.write("tokens", `suite ${TOKEN}\n`);
  await Deno.chmod(tokenFile, 0o600);
  const [command, ...first] = program();
  const flags = ["--http", "--json", "--naming", "bare", "--token-file", tokenFile];
  const child = new Deno.Command(command, {
    args: [...first, "serve", ...flags],
    cwd: home.project,
    clearEnv: true,
    env: { ...home.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const ready = Promise.withResolvers<string>();
  const texts = { stdout: "", stderr: "" };
  const read = (["stdout", "stderr"] as const).map(async (stream) => {
    for await (const text of child[stream].pipeThrough(new TextDecoderStream())) {
      texts[stream] += text;
      const line = /^.*\n/.exec(texts.stdout)?.[0];
      if (line !== undefined) ready.resolve(line);
    }
  });
  const ended = Promise.all([child.status, ...read]);
  ended.then(() => ready.reject(new Error(`The gateway ended: ${texts.stdout}${texts.stderr}`)));
  const end = async (): Promise<void> => {
    try {
      child.kill("SIGTERM");
    } catch {
      // It ended by itself.
    }
    await ended;
  };
  try {
    const { url } = JSON.parse(await ready.promise) as { readonly url: string };
    const proxy = await startTokenProxy(url, TOKEN);
    return {
      url: proxy.url,
      said: () => texts.stderr,
      async close(): Promise<void> {
        await proxy.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
