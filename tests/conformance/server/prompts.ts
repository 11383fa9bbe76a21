import { type FixturePrompt, form, text } from "./behaviour.ts";
import { embedded, IMAGE } from "./content.ts";

/** The prompts of the fixtures. */
export const PROMPTS: readonly FixturePrompt[] = [
  {
    name: "test_simple_prompt",
    description: "A prompt without arguments",
    run: () => [text("This is a simple prompt for testing.")],
  },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments",
    arguments: ["arg1", "arg2"],
    run: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt with a resource in it",
    arguments: ["resourceUri"],
    run: ({ resourceUri }) => [
      embedded(String(resourceUri), "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  {
    name: "test_prompt_with_image",
    description: "A prompt with an image in it",
    run: () => [IMAGE, text("Please analyze the image above.")],
  },
  {
    name: "test_input_required_result_prompt",
    description: "A prompt that asks the user",
    rounds: () => [{
      user_context: form("What context should the prompt use?", { context: { type: "string" } }, [
        "context",
      ]),
    }],
    run: (_args, answers) => [text(`Context: ${JSON.stringify(answers)}`)],
  },
];
