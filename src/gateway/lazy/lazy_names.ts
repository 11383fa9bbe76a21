/** Finds tools by words. */
export const SEARCH_TOOL = "search_tools";

/** Tells all about one tool. */
export const DESCRIBE_TOOL = "describe_tool";

/** Runs a tool. */
export const CALL_TOOL = "call_tool";
