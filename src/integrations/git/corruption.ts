// git's messages about a damaged repository. Messages about the other side begin with "remote" and are left out.
const signs =
  /(?:object|packfile|pack|index file) [^\n]{0,300}(?:is corrupt|is empty|does not match index|is far too short|cannot be accessed|CRC mismatch)|inflate: data stream error|unable to unpack [^\n]{0,80}header|bad object (?:HEAD|refs)|fatal: not a git repository: |unable to read (?:tree|sha1 file)|missing (?:blob|tree|commit) object|unexpected line in [^\n]{0,300}packed-refs|bad (?:ref|signature)[^\n]{0,200}|unresolved deltas|invalid sha1 pointer|does not point to a valid object/
const remoteSigns = /remote side|remote: (?:fatal|error)|remote error|does not appear to be a git repository/

const suspects = new Set<string>()

/** Whether git complains about the local repository, and not about the remote one. */
export function tellsCorruption(stderr: string): boolean {
  return signs.test(stderr) && !remoteSigns.test(stderr)
}

/** Remembers a failure that shows damage in the repository in `folder`, so that the next fetch replaces it. */
export function noteCorruption(folder: string | undefined, stderr: string): void {
  if (folder !== undefined && tellsCorruption(stderr)) suspects.add(folder)
}

/** Whether something in the repository could not be read. */
export function isSuspect(folder: string): boolean {
  return suspects.has(folder)
}

export function clearSuspicion(folder: string): void {
  suspects.delete(folder)
}
