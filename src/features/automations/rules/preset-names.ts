/** What rules can be about. Each has its own instructions and decides for itself whether an event needs work. */
export const presetNames = [
  'code-changes',
  'changelog',
  'broken-links',
  'writing-style',
  'typos',
  'translations',
  'stale-pages',
  'gaps',
] as const

export type PresetName = (typeof presetNames)[number]
