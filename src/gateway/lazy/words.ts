/** Words that say nothing about a tool. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and any are as at be by can could do does for from have how i if in into is it its me my " +
    "need of on or our please should so some that the their them then there these this to tool " +
    "use us want we what when which will with would you your mcp server").split(" ").map(stemOf),
);

/**
 * Words that one says and another writes for nearly the same: what a model asks for is seldom spelt
 * as the server spells it.
 */
const SAME: readonly (readonly string[])[] = [
  "create add new make insert",
  "delete remove drop erase destroy",
  "get read fetch retrieve show view load",
  "list enumerate browse",
  "find search query lookup locate",
  "update edit modify change set replace",
  "run execute invoke launch start",
  "stop kill terminate cancel end",
  "send post publish submit",
  "file document doc",
  "directory folder dir",
  "image picture photo screenshot",
  "issue ticket bug",
  "repository repo project",
  "move rename",
  "copy clone duplicate",
  "web internet online website",
  "url link page",
  "chart graph plot diagram",
  "check status health",
  "comment reply note",
  "pull pr merge",
  "info information details metadata",
  "sum total",
  "time date clock",
].map((line) => line.split(" ").map(stemOf));

const KIN: ReadonlyMap<string, readonly string[]> = kinOf(SAME);

/** Runs of letters and digits; the writing systems without spaces are looked at in pairs. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** Writing systems that put no spaces between words. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** What was made of runs of letters before: most of them come again. */
export type KnownRuns = Map<string, readonly string[]>;

/**
 * The words of a text in order, each as its stem: `listOpenIssues` gives `list`, `open`, `issu`.
 * @param known Is added to; for many texts, one for all of them.
 */
export function wordsOf(text: string, known: KnownRuns = new Map()): readonly string[] {
  const words: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(RUN)) {
    let found = known.get(run);
    if (found === undefined) known.set(run, found = wordsOfRun(run));
    words.push(...found);
  }
  return words;
}

/** The words of a question that can find something: none twice, none that says nothing. Pure. */
export function telling(words: readonly string[]): readonly string[] {
  const all = [...new Set(words)];
  const some = all.filter((word) => !STOP_WORDS.has(word));
  return some.length === 0 ? all : some;
}

/** Words that mean nearly the same as one. Pure. */
export function kin(word: string): readonly string[] {
  return KIN.get(word) ?? [];
}

function wordsOfRun(run: string): readonly string[] {
  return partsOf(run).flatMap((part) => DENSE.test(part) ? pairsOf(part) : [stemOf(part)]);
}

/** `getHTTPStatus` as `get`, `HTTP`, `Status`. */
function partsOf(run: string): readonly string[] {
  return run
    .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ")
    .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .split(" ");
}

/** `検索する` as `検索`, `索す`, `する`; a single character as itself. */
function pairsOf(part: string): readonly string[] {
  const characters = [...part];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A word without case, accents and its most usual English endings: `Directories`, `directory`. */
function stemOf(part: string): string {
  let word = part.toLowerCase().normalize("NFD").replaceAll(/\p{Mn}/gu, "");
  if (word.length > 4 && word.endsWith("ies")) word = `${word.slice(0, -3)}y`;
  else if (word.length > 3 && /[^su]s$/.test(word) && !word.endsWith("is")) {
    word = word.slice(0, -1);
  }
  if (word.length > 5 && word.endsWith("ing")) word = undoubled(word.slice(0, -3));
  else if (word.length > 4 && word.endsWith("ed")) word = undoubled(word.slice(0, -2));
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** `runn` as `run`; `call`, `pass` and `add` are words. */
function undoubled(word: string): string {
  return /([bgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function kinOf(groups: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const group of groups) {
    for (const word of group) {
      const others = group.filter((other) => other !== word);
      found.set(word, [...found.get(word) ?? [], ...others]);
    }
  }
  return found;
}
