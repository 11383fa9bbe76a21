import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { kin, type KnownRuns, telling, wordsOf } from "./words.ts";

/** A tool as it can be found. */
export interface FindableTool {
  /** What it is called by. */
  readonly publicName: string;
  /** Name of its server. */
  readonly server: string;
  /** The server's own name of it. */
  readonly name: string;
  /** Its item of `tools/list`. */
  readonly listed: JsonObject;
}

/** What of a tool is looked at, and how much a word in it counts. */
const WEIGHTS = {
  name: 6,
  title: 3,
  server: 2.5,
  description: 1,
  argument: 1,
  prose: 0.4,
} as const;

type Field = keyof typeof WEIGHTS;

/** How fast more of the same word counts less (k1 of BM25). */
const SATURATION = 1.5;

/** How much a long text takes from the weight of its words (b of BM25). */
const LENGTH_SHARE = 0.6;

/** How much a word counts that only begins as the one asked for, or the other way round. */
const PREFIX = 0.5;

/** Letters that both must have for that. */
const PREFIX_LENGTH = 3;

/** How much a word counts that means nearly the same. */
const KIN = 0.35;

/** Share of the best score below which a tool does not count as found. */
const LEAST_SHARE = 0.2;

/** Most words of a question that are looked at. */
const MOST_WORDS = 64;

/** Most characters of one field that are looked at. */
const MOST_TEXT = 4_000;

/** Most arguments of a tool that are looked at. */
const MOST_ARGUMENTS = 200;

/** A tool with what is known of its words. */
interface Entry {
  readonly tool: FindableTool;
  /** Its own name and its public one, as words. */
  readonly words: readonly string[];
  /** Both in small letters. */
  readonly spelt: readonly string[];
}

/** In which tool a word stands, and what it counts there. */
interface Posting {
  readonly entry: number;
  readonly weight: number;
}

/**
 * Finds tools by words, the best first: BM25 over what a tool is called, whose it is, what it says
 * and what it takes. A tool whose name is asked for always comes first. The same question gets the
 * same answer. Pure.
 */
export class ToolIndex {
  readonly #entries: readonly Entry[];
  readonly #postings: ReadonlyMap<string, readonly Posting[]>;

  /** Reads the tools. */
  constructor(tools: readonly FindableTool[]) {
    this.#entries = tools.map((tool) => ({
      tool,
      words: [tool.name, tool.publicName].map((name) => wordsOf(name).join(" ")),
      spelt: [tool.name.toLowerCase(), tool.publicName.toLowerCase()],
    }));
    this.#postings = postingsOf(tools);
  }

  /** All tools that a question finds, the best first; without a word in it, none. */
  find(question: string): readonly FindableTool[] {
    const asked = wordsOf(question).slice(0, MOST_WORDS);
    const scores = this.#scores(telling(asked));
    const named = this.#named(question, asked);
    const best = scores.reduce((most, score) => Math.max(most, score), 0);
    const found = [...this.#entries.keys()].filter((index) => {
      const score = scores[index] ?? 0;
      return named.has(index) || (score > 0 && score >= best * LEAST_SHARE);
    });
    const rank = (index: number): number => named.has(index) ? 1 : 0;
    found.sort((a, b) => rank(b) - rank(a) || (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    return found.flatMap((index) => this.#entries[index]?.tool ?? []);
  }

  /** The score of each tool; one that has more of the words is better than one that has one often. */
  #scores(words: readonly string[]): readonly number[] {
    const scores = this.#entries.map(() => 0);
    const hits = this.#entries.map(() => 0);
    for (const word of words) {
      for (const [entry, score] of this.#scoresOf(word)) {
        scores[entry] = (scores[entry] ?? 0) + score;
        hits[entry] = (hits[entry] ?? 0) + 1;
      }
    }
    return scores.map((score, index) => score * (0.3 + 0.7 * (hits[index] ?? 0) / words.length));
  }

  /** What one word of a question counts for each tool: the best of its readings. */
  #scoresOf(word: string): ReadonlyMap<number, number> {
    const scores = new Map<number, number>();
    for (const [reading, factor] of this.#readings(word)) {
      const postings = this.#postings.get(reading) ?? [];
      const count = this.#entries.length;
      const rarity = Math.log(1 + (count - postings.length + 0.5) / (postings.length + 0.5));
      for (const { entry, weight } of postings) {
        const score = factor * rarity * weight * (SATURATION + 1) / (weight + SATURATION);
        if (score > (scores.get(entry) ?? 0)) scores.set(entry, score);
      }
    }
    return scores;
  }

  /** The words of tools that a word may stand for, and how sure that is. */
  #readings(word: string): ReadonlyMap<string, number> {
    const readings = new Map<string, number>([[word, 1]]);
    for (const other of this.#postings.keys()) {
      const shorter = Math.min(word.length, other.length);
      if (other === word || shorter < PREFIX_LENGTH) continue;
      if (other.startsWith(word) || word.startsWith(other)) {
        readings.set(other, PREFIX * shorter / Math.max(word.length, other.length));
      }
    }
    for (const other of kin(word)) readings.set(other, Math.max(KIN, readings.get(other) ?? 0));
    return readings;
  }

  /**
   * The tools that a question names: it is the name, in whatever spelling, or holds one that is no
   * plain word.
   */
  #named(question: string, asked: readonly string[]): ReadonlySet<number> {
    const spelt = new Set(question.split(/[\s,;"'`()[\]{}]+/).map((part) => part.toLowerCase()));
    const said = new Set([asked.join(" "), telling(asked).join(" ")]);
    const named = new Set<number>();
    for (const [index, { spelt: names, words }] of this.#entries.entries()) {
      const isSpelt = names.some((name) => /[^a-z]/.test(name) && spelt.has(name));
      if (isSpelt || words.some((each) => said.has(each))) named.add(index);
    }
    return named;
  }
}

/** Where each word stands, with its weight over all fields of a tool. */
function postingsOf(tools: readonly FindableTool[]): ReadonlyMap<string, readonly Posting[]> {
  const known: KnownRuns = new Map();
  const texts = tools.map((tool) => fieldsOf(tool, known));
  const means = new Map<Field, number>();
  for (const field of Object.keys(WEIGHTS) as Field[]) {
    const all = texts.reduce((sum, fields) => sum + fields[field].length, 0);
    means.set(field, Math.max(1, all / Math.max(1, tools.length)));
  }
  const postings = new Map<string, Posting[]>();
  for (const [entry, fields] of texts.entries()) {
    const weights = new Map<string, number>();
    for (const field of Object.keys(WEIGHTS) as Field[]) {
      const words = fields[field];
      const share = words.length / (means.get(field) ?? 1);
      const each = WEIGHTS[field] / (1 - LENGTH_SHARE + LENGTH_SHARE * share);
      for (const word of words) weights.set(word, (weights.get(word) ?? 0) + each);
    }
    for (const [word, weight] of weights) {
      const others = postings.get(word);
      if (others === undefined) postings.set(word, [{ entry, weight }]);
      else others.push({ entry, weight });
    }
  }
  return postings;
}

/** The words of each field of a tool. */
function fieldsOf(
  { server, name, listed }: FindableTool,
  known: KnownRuns,
): Readonly<Record<Field, readonly string[]>> {
  const words = (text: string): readonly string[] => wordsOf(text, known);
  const { title, description, inputSchema } = listed;
  const schema = isJsonObject(inputSchema) ? inputSchema["properties"] : null;
  const properties = Object.entries(isJsonObject(schema) ? schema : {}).slice(0, MOST_ARGUMENTS);
  const prose = properties.map(([, property]) =>
    isJsonObject(property) ? textOf(property["description"]) : ""
  );
  return {
    name: words(textOf(name)),
    title: words(textOf(title)),
    server: words(server),
    description: words(textOf(description)),
    argument: words(textOf(properties.map(([key]) => key).join(" "))),
    prose: words(textOf(prose.join(" "))),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MOST_TEXT) : "";
}
