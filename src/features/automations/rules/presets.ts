import type { PresetName } from './preset-names.ts'

/** A kind of rule with its own words. */
interface Preset {
  /** What lists and forms call it. */
  label: string
  /** What it is for, in one sentence. */
  use: string
  /** What the agent is told before what the rule says. */
  instructions: string
  /** How its triggers are usually written, as front matter. */
  usual: string
  /** Words of a rule stand in place of the instructions. */
  isWhole?: true
  /** The built-in model can do it. */
  isPlain?: true
}

export const presets: Readonly<Record<PresetName, Preset>> = {
  'code-changes': {
    label: 'Code changes',
    use: 'Updates pages when a code change makes them wrong.',
    instructions:
      'Bring the documentation in line with this change of the code. Change only pages that the change makes wrong or incomplete. If no page needs a change, finish without one and give the reasons.',
    usual: 'on:\n  push:\n    branch: main',
  },
  changelog: {
    label: 'Changelog',
    use: 'Adds an entry to the changelog for each release.',
    instructions:
      'Add an entry for this release to the changelog of the documentation, in the form of its earlier entries. Name what users notice: new features, fixes, and breaking changes with what to do about them. Leave out internal work. If there is nothing for users, finish without a change and give the reasons.',
    usual: "on:\n  tag:\n    name: 'v*'",
  },
  'broken-links': {
    label: 'Broken links',
    use: 'Fixes links that lead nowhere.',
    instructions: 'Fix broken links',
    isWhole: true,
    usual: 'on:\n  schedule:\n    cron: 0 6 * * 1\n    zone: UTC',
    isPlain: true,
  },
  'writing-style': {
    label: 'Writing style',
    use: 'Brings changed pages in line with the style guide.',
    instructions:
      'Bring the pages of this change in line with the style guide of the repository. Keep what they say. Change wording only where a rule of the guide or the usage of the other pages asks for it, and finish without a change where none does.',
    usual: "on:\n  push:\n    branch: main\n    paths: ['**/*.md', '**/*.mdx']\ngroup: day",
  },
  typos: {
    label: 'Typos',
    use: 'Fixes misspelled words.',
    instructions: 'Fix typos',
    isWhole: true,
    usual: 'on:\n  schedule:\n    cron: 0 6 * * 2\n    zone: UTC',
    isPlain: true,
  },
  translations: {
    label: 'Translations',
    use: 'Updates translated pages when the original changes.',
    instructions:
      'Bring the translations of the changed pages in line with this change. Translate only what the change added or rewrote, in the words of the existing translation, and take out what it removed. Do not touch the originals.',
    usual: "on:\n  push:\n    branch: main\n    paths: ['**/*.md', '**/*.mdx']\ngroup: day",
  },
  'stale-pages': {
    label: 'Stale pages',
    use: 'Reviews the pages that were not changed for the longest time.',
    instructions:
      'Your notes name pages that were not changed for a long time. Compare each with the code and with the other pages, and correct what is no longer true. Leave a page alone if everything on it is still true, and say so.',
    usual: 'on:\n  schedule:\n    cron: 0 6 1 * *\n    zone: UTC',
  },
  gaps: {
    label: 'Content gaps',
    use: 'Writes what readers ask for and the docs don’t answer.',
    instructions: 'Answer what readers ask for.',
    isWhole: true,
    usual: 'on:\n  gap:\n    questions: 3',
  },
}

/** The text of a new rule. */
export function textOfPreset(name: PresetName): string {
  const { label, usual } = presets[name]
  return `---\nname: ${label}\ntype: ${name}\n${usual}\n---\n`
}
