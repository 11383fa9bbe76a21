/** What stands for a secret. */
export const MASK = "***";

/** One argument, or a piece of one, as it may be shown. */
export interface ArgumentView {
  /** The text with its secrets replaced. */
  readonly shown: string;
  /** What was replaced. */
  readonly secrets: readonly string[];
  /**
   * `true`: nothing says that it is a secret, but what stands there often is one, as the value of a
   * variable whose name says nothing. Default `false`.
   */
  readonly guessed?: true;
}

/** A text without a secret. */
export function asWritten(text: string): ArgumentView {
  return { shown: text, secrets: [] };
}

/** A text that is a secret as a whole. */
export function hidden(secret: string): ArgumentView {
  return { shown: MASK, secrets: [secret] };
}

/** A view with text before it that is no secret. */
export function behind(before: string, view: ArgumentView): ArgumentView {
  return { ...view, shown: before + view.shown };
}
