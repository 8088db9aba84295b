const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * Orders labels of versions by age, the oldest first: by their numbers, then `latest` and its like. A page without a version,
 * `''`, is the site's own, newer than all; one that is not released yet is the oldest, for it is not what most readers have.
 */
export function compareVersions(a: string, b: string): number {
  return rankOf(a) - rankOf(b) || collator.compare(bareVersion(a), bareVersion(b))
}

function rankOf(version: string): number {
  if (version === '' || /^(?:latest|current|stable)$/i.test(version)) return 2
  if (/(?<![a-z])(?:next|dev|devel|develop|main|master|edge|nightly|canary|unreleased|alpha|beta|rc)(?![a-z])/i.test(version))
    return 0
  return /\d/.test(version) ? 1 : 0
}

function bareVersion(version: string): string {
  return version.replace(/^v(?=\d)/i, '')
}
