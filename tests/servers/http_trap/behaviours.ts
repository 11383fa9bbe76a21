import type { HttpBehaviour } from "./exchange.ts";
import { bodies } from "./bodies.ts";
import { origins } from "./origins.ts";
import { refusals } from "./refusals.ts";
import { sessions } from "./sessions.ts";
import { streams } from "./streams.ts";

/** Every behaviour by name. */
export const httpBehaviours: ReadonlyMap<string, HttpBehaviour> = new Map(
  Object.entries({ ...refusals, ...sessions, ...origins, ...streams, ...bodies }),
);
