import type { PlannedServer } from "../../model/plan.ts";

/**
 * What a definition says that its server is for; empty when it does not say. What a repository says
 * does not count: nobody approved it, and a model would read it. Pure.
 */
export function serverPurpose(planned: PlannedServer | undefined): string {
  const definition = planned?.definition ?? null;
  if (definition === null || definition.source.scope === "project") return "";
  return definition.config.description ?? "";
}
