import { addFolderCommand } from './add-project.ts'

/** What to enter instead of a folder. Whether it exists is not said: only the operator may look at folders of the server. */
export function describeFolder(location: string): string {
  const path = location.replace(/^file:\/\//i, '')
  if (/^[a-z\d-]+(?:\.[a-z\d-]+)+\/[^/\s]/i.test(path))
    return `${path} is not a complete URL. Enter https://${path}`
  const isFolder = /^(?:[/~.\\]|[a-z]:)/i.test(path)
  const what = isFolder
    ? `${path} is a folder, and this page adds repositories by URL`
    : `${path} is not a URL. Enter the https URL of the repository, for example https://github.com/example/handbook`
  return `${what}. The operator can add a folder on the server. Run "${addFolderCommand(path)}" there`
}
