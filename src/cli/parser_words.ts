import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core";

/** Words that other programs have for a command of ours. */
const FOREIGN_COMMANDS: ReadonlyMap<string, string> = new Map([
  ["list", "status"],
  ["ls", "status"],
  ["ps", "status"],
  ["servers", "status"],
  ["version", "--version"],
  ["-v", "--version"],
]);

/**
 * How far a word may be from a name to be taken for it: two letters wrong, missing, superfluous or
 * exchanged.
 */
export const SUGGESTION_DISTANCE: {
  readonly threshold: number;
  readonly weights: Readonly<
    Record<"insertion" | "deletion" | "substitution" | "transposition", number>
  >;
} = {
  threshold: 2,
  weights: { insertion: 1, deletion: 1, substitution: 1, transposition: 1 },
};

/** What the argument parser says, in the words of the other errors. */
export const PARSER_TEXT: ApplicationText = {
  ...text_en,
  noCommandRegisteredForInput({ input, corrections }): string {
    const foreign = FOREIGN_COMMANDS.get(input);
    const meant = foreign === undefined ? corrections.map(quoted) : [quoted(foreign)];
    return `Cannot run "${input}": there is no such command${didYouMean(meant)}`;
  },
  exceptionWhileParsingArguments(thrown): string {
    if (!(thrown instanceof ArgumentScannerError)) return `Cannot read the arguments: ${thrown}`;
    return formatMessageForArgumentScannerError(thrown, {
      FlagNotFoundError: ({ input, corrections }) =>
        `Cannot use --${input}: there is no such option${
          didYouMean(corrections.map((name) => `--${name}`))
        }`,
      AliasNotFoundError: ({ input }) => `Cannot use -${input}: there is no such option`,
      ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, exception }) =>
        `Cannot use --${name}: ${exception instanceof Error ? exception.message : exception}`,
      UnsatisfiedFlagError: ({ externalFlagName: name }) =>
        `Cannot use --${name}: it needs a value`,
      UnexpectedFlagError: ({ externalFlagName: name }) =>
        `Cannot use --${name}: it is given twice`,
      UnexpectedPositionalError: ({ input }) =>
        `Cannot use "${input}": this command takes no more arguments`,
    });
  },
};

/** A proposal at the end of a message; empty without any. */
function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : `; did you mean ${names.join(" or ")}?`;
}

/** A name as messages show it; the parser's own marks go, an option stands as it is. */
function quoted(name: string): string {
  const bare = name.replaceAll("`", "");
  return bare.startsWith("-") ? bare : `"${bare}"`;
}
