import { programName } from "../definitions/program_name.ts";

/** A package or image that a launcher fetches and runs. */
export interface FetchedPackage {
  /** Name without version, as the launcher takes it. */
  readonly name: string;
  /** The version or tag that is asked for; `null` when none is. */
  readonly version: string | null;
  /** The same with a version, for the user to fill in. */
  readonly pinned: string;
}

/** How a launcher is given what it runs. */
interface Launcher {
  /** Words that come before it, such as `tool run`. */
  readonly words: readonly string[];
  /** Options that a value follows. */
  readonly valued: ReadonlySet<string>;
  /** Options whose value is the package itself. */
  readonly named: ReadonlySet<string>;
  /** What kind of name it takes. */
  readonly kind: "npm" | "python" | "image";
}

function launcher(
  kind: Launcher["kind"],
  words: string,
  valued: string,
  named = "",
): Launcher {
  const list = (text: string): readonly string[] => text.split(" ").filter((word) => word !== "");
  return { kind, words: list(words), valued: new Set(list(valued)), named: new Set(list(named)) };
}

const NPM_VALUES = "-c --call -w --workspace --registry --cache --prefix --userconfig --loglevel";
const UV_VALUES = "--with --with-editable --with-requirements -p --python -i --index-url " +
  "--extra-index-url --index --default-index -f --find-links --cache-dir --directory --project " +
  "--config-file --env-file --refresh-package -P --upgrade-package --color --constraints -c";
const DOCKER_VALUES = "-e --env --env-file -v --volume --mount --tmpfs -p --publish --name " +
  "--network --net --network-alias -w --workdir -u --user --entrypoint -h --hostname --add-host " +
  "--dns --label -l --platform --pull --memory -m --cpus --gpus --device --ulimit --log-driver " +
  "--log-opt --restart --security-opt --cap-add --cap-drop --group-add --ipc --pid --shm-size " +
  "--stop-timeout --stop-signal --runtime --cidfile --attach -a --expose --link --volumes-from";

/** The launchers by the names of their programs; the first whose words fit counts. */
const LAUNCHERS: Readonly<Record<string, readonly Launcher[]>> = {
  npx: [launcher("npm", "", NPM_VALUES, "-p --package")],
  npm: [
    launcher("npm", "exec", NPM_VALUES, "-p --package"),
    launcher("npm", "x", NPM_VALUES, "-p --package"),
  ],
  bunx: [launcher("npm", "", "", "-p --package")],
  bun: [launcher("npm", "x", "", "-p --package")],
  pnpx: [launcher("npm", "", "", "--package")],
  pnpm: [launcher("npm", "dlx", "--registry --dir -C", "--package")],
  yarn: [launcher("npm", "dlx", "", "-p --package")],
  uvx: [launcher("python", "", UV_VALUES, "--from")],
  uv: [launcher("python", "tool run", UV_VALUES, "--from")],
  pipx: [launcher("python", "run", "--python --index-url --pip-args -i", "--spec")],
  docker: [
    launcher("image", "run", DOCKER_VALUES),
    launcher("image", "container run", DOCKER_VALUES),
  ],
  podman: [launcher("image", "run", DOCKER_VALUES)],
};

/** The package that a command line fetches and runs; `null` when none can be told for sure. Pure. */
export function fetchedPackage(command: string, args: readonly string[]): FetchedPackage | null {
  let [program, words] = [programName(command).toLowerCase(), args];
  // Windows' usual way round: cmd /c npx …
  if (program === "cmd" && /^\/[ck]$/i.test(words[0] ?? "")) {
    [program, words] = [programName(words[1] ?? "").toLowerCase(), words.slice(2)];
  }
  const known = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS[program] ?? [] : [];
  const used = known.find((one) => one.words.every((word, index) => words[index] === word));
  if (used === undefined) return null;
  const named = wordOf(words.slice(used.words.length), used);
  return named === null ? null : READERS[used.kind](named);
}

/** The word that names the package. */
function wordOf(words: readonly string[], { valued, named }: Launcher): string | null {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const [option = "", ...value] = word.split("=");
    if (named.has(option)) return value.length > 0 ? value.join("=") : words[index + 1] ?? null;
    if (valued.has(word)) index++;
    else if (word === "--") return words[index + 1] ?? null;
    else if (!word.startsWith("-")) return word;
  }
  return null;
}

/** Reads a name with its version; `null` for a path, an address or what holds a placeholder. */
const READERS: Readonly<Record<Launcher["kind"], (word: string) => FetchedPackage | null>> = {
  npm(word): FetchedPackage | null {
    const [, name, version = null] =
      /^((?:@[\w.~-]+\/)?[\w~-][\w.~-]*)(?:@([^@/:]+))?$/.exec(word) ??
        [];
    return name === undefined ? null : { name, version, pinned: `${name}@<version>` };
  },
  python(word): FetchedPackage | null {
    const [, name, extras = "", version = null] =
      /^([A-Za-z0-9][\w.-]*)(\[[\w,.-]+\])?(?:(?:==|@)([^=@/:]+))?$/.exec(word) ?? [];
    if (name === undefined) return null;
    return { name: name + extras, version, pinned: `${name}${extras}==<version>` };
  },
  image(word): FetchedPackage | null {
    const [, name, tag = null, digest] =
      /^([a-z0-9][\w.-]*(?::\d+(?=\/))?(?:\/[\w.-]+)*)(?::([\w.-]+))?(?:@(sha256:[0-9a-f]+))?$/
        .exec(word) ?? [];
    if (name === undefined) return null;
    return { name, version: digest ?? tag, pinned: `${name}:<tag>` };
  },
};
