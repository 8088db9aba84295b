import { nothing, short, type Outcome } from './outcome.ts'

const abilities = [
  'Replace "Acme" with "Globex" in the quickstart page',
  'Fix the typo "recieve"',
  'Fix broken links in guides/',
  'Move guides/install.md to start/install.md',
  'Rename the page "Setup" to "Installation"',
  'Delete the page "Old API"',
  'Add a page "Troubleshooting" to the group "Guides" with: …',
  'Add a note to the quickstart page: "…"',
  'Add a section "FAQ" to the quickstart page: "…"',
  'Change the title of the quickstart page to "Get started"',
  'Add missing descriptions',
  'Use "GitHub" instead of "Github", "git hub"',
]

/** For what is not on the list: what is, and how to set another model. */
export function explainAbilities(asked: string): Outcome {
  const examples = abilities.map((example) => `- \`${example}\``).join('\n')
  const what = [
    `The built-in model did not understand “${short(asked, 120)}”. It works by rules and knows these requests:`,
    '',
    examples,
    '',
    'For anything else set another model, for example `DOCWRIGHT_MODEL=anthropic:claude-sonnet-5-5` with `ANTHROPIC_API_KEY` on the server, or one of your own machine: Docwright’s documentation says how on the page “Models” (`/operate/models`). The whole list of requests is on the page “The built-in model” (`/concepts/built-in-model`).',
  ].join('\n')
  return nothing('No change', what)
}
