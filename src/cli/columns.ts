import { cutToWidth, displayWidth } from "../tools/display_width.ts";

/** One column of a table. */
export interface Column {
  /** Its heading. */
  readonly title: string;
  /** Side on which its cells stand. Default `left`. */
  readonly align?: "left" | "right";
  /** Most columns of the terminal it may take; longer cells are cut. Default: no bound. */
  readonly most?: number;
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

/**
 * Lays out a table without borders: a heading line, then one line a row. Trailing spaces are left
 * out. With `width`, the last column is cut so that each line fits, but never below ten columns.
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: { readonly width?: number; readonly paintTitle?: (text: string) => string } = {},
): readonly string[] {
  const widths = columns.map((column, index) => {
    let longest = displayWidth(column.title);
    for (const row of rows) longest = Math.max(longest, displayWidth(row[index]?.text ?? ""));
    return Math.min(longest, column.most ?? longest);
  });
  const last = widths.length - 1;
  if (options.width !== undefined && last >= 0) {
    const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP, 0);
    widths[last] = Math.min(widths[last] ?? 0, Math.max(10, options.width - before));
  }
  const titles = columns.map(({ title }): Cell => ({
    text: title,
    ...(options.paintTitle === undefined ? {} : { paint: options.paintTitle }),
  }));
  return [titles, ...rows].map((row) => line(columns, row, widths));
}

/** One line of a table. */
function line(
  columns: readonly Column[],
  row: readonly Cell[],
  widths: readonly number[],
): string {
  let text = "";
  let gap = "";
  for (const [index, column] of columns.entries()) {
    const cell = row[index];
    const width = widths[index] ?? 0;
    const cut = cutToWidth(cell?.text ?? "", width);
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
