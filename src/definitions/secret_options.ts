import { textView } from "./argument_text.ts";
import { type ArgumentView, asWritten, behind, hidden } from "./argument_view.ts";
import {
  isHarmlessWord,
  isPlaceholder,
  isPlainSetting,
  isSecretName,
  isTokenShaped,
} from "./secret_words.ts";

/** Shows what follows an option; `null` where the option says nothing about it. */
type ValueView = (value: string) => ArgumentView | null;

/** Options whose values have a form of their own, as Docker, curl and many servers have them. */
const OPTIONS: readonly (readonly [RegExp, ValueView])[] = [
  [/^(?:-e|--?env)$/, (value) => pairView(/^([A-Za-z_][\w.-]*)(=)(.+)$/s, value)],
  [/^(?:-H|--?headers?)$/, (value) => pairView(/^([A-Za-z][\w-]*)(:\s*|=)(?!\/\/)(.+)$/s, value)],
  [/^(?:-u|--?(?:proxy-)?user)$/, (value) => loginView(value, /^([^:\s/@]+:)(?![\\/])(.+)()$/s)],
  [
    /^--?(?:[\w-]+-)?(?:dsn|conn(?:ection)?-?str(?:ing)?|d(?:ata)?b(?:ase)?-ur[il])$/i,
    (value) => loginView(value, /^([^:\s/@]+:)(?![\\/])(.+)(@[^@]+)$/s),
  ],
];

/**
 * An option and its value in one argument: `--env=NAME=value`, `-eNAME=value`, `-HName: value`,
 * `-uname:password`.
 */
const JOINED =
  /^(-e(?=[A-Z_][A-Z0-9_]*=)|-H(?=[A-Za-z][\w-]*:)|-u(?=[^:\s/@=]+:)|--?[A-Za-z][\w-]*(?==))(=?)(.+)$/s;

/** Programs whose `-p` has a password joined to it; to others it is a port or a path. */
const JOINED_PASSWORD =
  /(?:^|[\\/])(?:mysql(?:dump|admin|import|show|check|sh)?|mariadb(?:-[a-z]+)?)(?:\.exe)?$/i;

/** Headers that describe what is sent and hold no secret. */
const PLAIN_HEADER =
  /^(?:accept(?:-[a-z]+)?|content-[a-z]+|cache-control|user-agent|host|origin|referer|mcp-protocol-version)$/i;

/** What stands behind the colon of `--user` when it names a group of a container's. */
const GROUP = /^(?:\d+|root|users?|staff|wheel|docker|nobody|nogroup|node|daemon|www-data)$/;

/**
 * An argument as it may be shown.
 * @param words The words before it, the program's own among them where it is known.
 */
export function argumentView(words: readonly string[], argument: string): ArgumentView {
  const before = words.at(-1) ?? "";
  const password = /^-p(.+)$/s.exec(argument)?.[1];
  // Behind the name of a container there may be ports, which hold a colon.
  const isPort = password === undefined || /^[\d.]+:[\d:]+$/.test(password);
  if (!isPort && words.some((word) => JOINED_PASSWORD.test(word))) {
    return isPlaceholder(password) ? asWritten(argument) : behind("-p", hidden(password));
  }
  if (isSecretOption(before) && !argument.startsWith("-")) {
    return isPlaceholder(argument) ? asWritten(argument) : hidden(argument);
  }
  const followed = viewOf(before)?.(argument) ?? null;
  if (followed !== null) return followed;
  const [, option = "", sign = "", value = ""] = JOINED.exec(argument) ?? [];
  const joined = option === "" ? null : viewOf(option)?.(value) ?? null;
  return joined === null ? textView(argument) : behind(option + sign, joined);
}

/** Whether an argument announces that the next one is a secret: `--api-key`, `-k`. */
function isSecretOption(argument: string): boolean {
  if (argument === "-k") return true;
  return /^--?[A-Za-z][\w-]*$/.test(argument) && isSecretName(argument.replace(/^-+/, ""));
}

function viewOf(option: string): ValueView | null {
  return OPTIONS.find(([pattern]) => pattern.test(option))?.[1] ?? null;
}

/** A variable or header with its value, which is a secret unless it surely is none. */
function pairView(pattern: RegExp, text: string): ArgumentView | null {
  const [, name = "", sign = "", value = ""] = pattern.exec(text) ?? [];
  if (name === "" || isSecretName(name) || isTokenShaped(value)) return null;
  const view = textView(value);
  const isPlain = PLAIN_HEADER.test(name) || view.secrets.length > 0 || isSetting(value);
  return behind(name + sign, isPlain ? view : { ...hidden(value), guessed: true });
}

/** Whether a value, its placeholders aside, is what settings are made of. */
function isSetting(value: string): boolean {
  const rest = value.includes(":-") ? value : value.replace(/\$?\{[^{}]*\}/g, "");
  return isHarmlessWord(rest) || isPlainSetting(rest) || /^[a-z][a-z0-9+.-]*:\/\//i.test(rest);
}

/** A user with a password; `null` for one without, and for a user with a group. */
function loginView(text: string, pattern: RegExp): ArgumentView | null {
  const [, user = "", password = "", rest = ""] = pattern.exec(text) ?? [];
  if (user === "" || `${password}:` === user) return null;
  if (isPlaceholder(password) || (rest === "" && GROUP.test(password))) return null;
  const view = behind(user, hidden(password));
  return { ...view, shown: view.shown + rest };
}
