/** Letters of other scripts that look like a Latin one. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ["аеорсухіјѕԁһԛԝѵӏк", "aeopcyxijsdhqwvlk"],
    ["αορνιικτυχγϲ", "aopviiktuxyc"],
    ["0ı", "oi"],
  ].flatMap(([from = "", to = ""]) =>
    [...from].map((letter, index) => [letter, to[index] ?? letter] as const)
  ),
);

/**
 * A name as an eye takes it: equal for names that differ by case, by letters of another script that
 * look the same, or by the shape of a letter (full width, ligature, accents written apart).
 */
export function asSeen(name: string): string {
  return [...name.normalize("NFKC").toLowerCase()]
    .map((letter) => LOOKALIKES.get(letter) ?? letter)
    .join("");
}
