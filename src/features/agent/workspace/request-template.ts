import type { TreeEntry } from '../../../integrations/git/trees/list-tree.ts'

// Hosts find them in upper and lower case.
const places = [
  '.github/pull_request_template.md',
  'pull_request_template.md',
  'docs/pull_request_template.md',
  '.gitlab/merge_request_templates/default.md',
  '.gitea/pull_request_template.md',
  '.forgejo/pull_request_template.md',
]

/** The files that may be a repository's form for pull requests, the one that counts first. */
export function requestTemplates(files: readonly TreeEntry[]): TreeEntry[] {
  return places.flatMap((place) =>
    files.filter(({ path, mode }) => path.toLowerCase() === place && mode.startsWith('100')),
  )
}
