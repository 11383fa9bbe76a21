import { cutStartToWidth, cutToWidth, displayWidth } from "../tools/display_width.ts";

/** One column of a table. */
export interface Column {
  /** Its heading. */
  readonly title: string;
  /** Side on which its cells stand. Default `left`. */
  readonly align?: "left" | "right";
  /** Most columns of the terminal it may take; longer cells are cut. Default: no bound. */
  readonly most?: number;
  /** Width that it may be narrowed to where room is short. Default: it keeps its width. */
  readonly least?: number;
  /** Which end of a cut cell stays. Default `start`. */
  readonly keep?: "start" | "end";
  /** Left out where narrowing is not enough; higher numbers go first. Default: it stays. */
  readonly spare?: number;
}

/** One cell: its bare text, and how the padded text is painted. */
export interface Cell {
  /** Text without style sequences or line ends. */
  readonly text: string;
  /** Paints the text once it has its width. */
  readonly paint?: (text: string) => string;
}

/** Columns of the terminal between two cells. */
const GAP = 2;

/** What the last column is narrowed to when it does not say: less tells nothing. */
const LEAST_LAST = 10;

/**
 * Lays out a table without borders: a heading line, then one line a row. Trailing spaces are left
 * out. With `width`, columns are narrowed and left out as they allow until each line fits.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: { readonly width?: number; readonly paintTitle?: (text: string) => string } = {},
): readonly string[] {
  const natural = columns.map((column, index) => {
    let longest = displayWidth(column.title);
    for (const row of rows) longest = Math.max(longest, displayWidth(row[index]?.text ?? ""));
    return Math.min(longest, column.most ?? longest);
  });
  const widths = options.width === undefined ? natural : fitting(columns, natural, options.width);
  const titles = columns.map(({ title }): Cell => ({
    text: title,
    ...(options.paintTitle === undefined ? {} : { paint: options.paintTitle }),
  }));
  return [titles, ...rows].map((row) => line(columns, row, widths));
}

/** The width of each column so that a line takes at most `total`; `null` for one left out. */
function fitting(
  columns: readonly Column[],
  natural: readonly number[],
  total: number,
): readonly (number | null)[] {
  const out = new Set<number>();
  for (;;) {
    const shown = columns.map((_column, index) => index).filter((index) => !out.has(index));
    const widths: (number | null)[] = natural.map((width, index) => out.has(index) ? null : width);
    let excess = shown.reduce((sum, index) => sum + (natural[index] ?? 0) + GAP, -GAP) - total;
    for (const index of shown.toReversed()) {
      const width = natural[index] ?? 0;
      const least = leastOf(columns[index], index === columns.length - 1) ?? width;
      const given = Math.max(0, Math.min(excess, width - least));
      widths[index] = width - given;
      excess -= given;
    }
    if (excess <= 0) return widths;
    const spare = shown.filter((index) => columns[index]?.spare !== undefined)
      .toSorted((a, b) => (columns[b]?.spare ?? 0) - (columns[a]?.spare ?? 0));
    const [first] = spare;
    if (first === undefined) return widths;
    out.add(first);
  }
}

/** What a column may be narrowed to; `undefined` when it may not. */
function leastOf(column: Column | undefined, isLast: boolean): number | undefined {
  if (column?.least !== undefined) return column.least;
  return isLast && column?.spare === undefined ? LEAST_LAST : undefined;
}

/** One line of a table. */
function line(
  columns: readonly Column[],
  row: readonly Cell[],
  widths: readonly (number | null)[],
): string {
  let text = "";
  let gap = "";
  for (const [index, column] of columns.entries()) {
    const cell = row[index];
    const width = widths[index] ?? null;
    if (width === null) continue;
    const whole = cell?.text ?? "";
    const cut = column.keep === "end" ? cutStartToWidth(whole, width) : cutToWidth(whole, width);
    const filler = " ".repeat(Math.max(0, width - displayWidth(cut)));
    const padded = column.align === "right" ? filler + cut : cut + filler;
    const spaces = padded.length - padded.trimEnd().length;
    const body = spaces === 0 ? padded : padded.slice(0, -spaces);
    if (body.trim() !== "") {
      text += gap + (cell?.paint?.(body) ?? body);
      gap = "";
    } else {
      gap += " ".repeat(displayWidth(body));
    }
    gap += " ".repeat(spaces + GAP);
  }
  return text;
}
