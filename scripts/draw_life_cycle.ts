/**
 * Writes `docs/life_cycle.md` from the table that the manager runs by:
 * `deno run --allow-read --allow-write scripts/draw_life_cycle.ts`.
 * @module
 */
import {
  EVENTS,
  LIFE_CYCLE,
  type LifeEvent,
  type LifeState,
  SHOWN,
} from "../src/runtime/life_cycle.ts";

/** What the page begins with. */
const HEAD = `# The life of a server

Made from \`src/runtime/life_cycle.ts\` by \`scripts/draw_life_cycle.ts\`; a test keeps it true. An
event that a state does not name changes nothing there.

`;

/** The page, from the table alone. */
export function lifeCyclePage(): string {
  const states = Object.keys(LIFE_CYCLE) as LifeState[];
  const everywhere = (Object.keys(EVENTS) as LifeEvent[]).filter((event) =>
    states.every((state) => LIFE_CYCLE[state][event] !== undefined)
  );
  const drawn = states.flatMap((state) => arrows(state, everywhere));
  const shown = states.map((state) => `| \`${state}\` | \`${SHOWN[state]}\` |`);
  const events = Object.entries(EVENTS).map(([event, words]) => `| \`${event}\` | ${words} |`);
  const ways = states.flatMap((state) =>
    Object.entries(LIFE_CYCLE[state])
      .filter(([event]) => !everywhere.includes(event as LifeEvent))
      .map(([event, { to, effects }]) => row(state, event, to, effects))
  );
  const always = everywhere.map((event) => {
    const { to, effects } = LIFE_CYCLE.off[event] ?? { to: "off", effects: [] };
    return row("any", event, to, effects);
  });
  return [
    HEAD + "```mermaid",
    "stateDiagram-v2",
    "  [*] --> off",
    ...drawn,
    "```",
    "",
    `Not drawn, as they lead there from every state: ${
      everywhere.map((event) => `\`${event}\``).join(", ")
    }.`,
    "",
    "| state | the row shows |",
    "| --- | --- |",
    ...shown,
    "",
    "| event | when |",
    "| --- | --- |",
    ...events,
    "",
    "| in | on | to | doing |",
    "| --- | --- | --- | --- |",
    ...always,
    ...ways,
    "",
  ].join("\n");
}

function arrows(state: LifeState, left: readonly LifeEvent[]): readonly string[] {
  return Object.entries(LIFE_CYCLE[state])
    .filter(([event]) => !left.includes(event as LifeEvent))
    .map(([event, { to }]) => `  ${id(state)} --> ${id(to)}: ${event}`);
}

function id(state: LifeState): string {
  return state.replaceAll("-", "_");
}

function row(state: string, event: string, to: string, effects: readonly string[]): string {
  return `| ${state} | \`${event}\` | ${to} | ${effects.join(", ") || "–"} |`;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../docs/life_cycle.md", import.meta.url), lifeCyclePage());
}
