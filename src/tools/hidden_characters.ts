/**
 * Characters that a reader does not see, but a model or a terminal obeys: controls of direction,
 * zero-width characters, the Unicode tag block, fillers, and runs of variation selectors.
 *
 * Two uses of such characters are honest and are not reported: a joiner inside an emoji sequence,
 * and a joiner or non-joiner after a letter of a script that is written with them (Arabic, Syriac,
 * the scripts of India and their neighbours). One variation selector after a visible character is
 * honest too. Emoji flags that are spelled with tag characters are not: they can carry any text.
 */

/** Anything that may be hidden; cheap to test, before the exact pattern is asked. */
const SUSPECT: RegExp =
  /[\u{ad}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;

let hidden: RegExp | undefined;

/** The text with every hidden character replaced. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  if (!SUSPECT.test(text)) return text;
  // Building its classes takes over a millisecond, and few texts need them.
  hidden ??= hiddenPattern();
  return text.replace(hidden, replacement);
}

/** One hidden character, honest uses left out. */
function hiddenPattern(): RegExp {
  const parts = [
    // Always hidden.
    String
      .raw`[\u{ad}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{200b}\u{200e}\u{200f}`,
    String.raw`\u{202a}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}`,
    String.raw`\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
    // Joiners without an emoji on both sides, or a letter of a joining script before them.
    String
      .raw`|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}${joiningScripts()}])\u{200d}`,
    String.raw`|(?<![${joiningScripts()}])\u{200d}(?!\p{Extended_Pictographic})`,
    String.raw`|(?<![${joiningScripts()}])\u{200c}`,
    // Variation selectors at the start, after white space or after another one.
    String.raw`|(?<=^|\s|[\u{fe00}-\u{fe0f}])[\u{fe00}-\u{fe0f}]`,
  ];
  return new RegExp(parts.join(""), "gu");
}

/** Scripts that need joiners in plain words, as part of a character class. */
function joiningScripts(): string {
  const names = [
    "Arabic",
    "Syriac",
    "Mongolian",
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Khmer",
    "Myanmar",
    "Tibetan",
  ];
  return names.map((name) => String.raw`\p{Script=${name}}`).join("");
}
