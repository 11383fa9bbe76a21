/** Version of this program; a test keeps it equal to `deno.json`. */
export const VERSION: string = "0.1.0";
