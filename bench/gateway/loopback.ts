/** Tells a program that it has been started anew by {@linkcode withoutNetwork}. */
const MARK = "BENCH_WITHOUT_NETWORK";

/**
 * Starts this program anew where there is no network but the machine's own, and ends this one with
 * it: nothing that is measured can then phone home or wait for somebody. Returns where it already
 * runs so, or cannot (`unshare` is Linux's, and some machines forbid it).
 * @returns Whether there is no other network.
 */
export async function withoutNetwork(): Promise<boolean> {
  if (Deno.env.get(MARK) === "1") return true;
  const shell = ["-rn", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"];
  const possible = await new Deno.Command("unshare", {
    args: [...shell, "true"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output().then(({ success }) => success, () => false);
  if (!possible) return false;
  const flags = ["run", "--quiet", "--no-check", "--allow-all"];
  const { code } = await new Deno.Command("unshare", {
    args: [...shell, Deno.execPath(), ...flags, Deno.mainModule, ...Deno.args],
    env: { [MARK]: "1" },
    stdin: "null",
  }).spawn().status;
  Deno.exit(code);
}
