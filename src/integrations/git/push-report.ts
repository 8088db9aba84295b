import { AppError } from '../../lib/errors.ts'
import { isProgress } from './git-progress.ts'

/** What became of a push. `message` says what to do, or gives the remote's own words. */
export type PushResult =
  | { state: 'pushed' }
  | { state: 'up_to_date' }
  | { state: 'moved'; message: string }
  | { state: 'checked_out'; message: string }
  | { state: 'refused'; message: string }

/** Reads `git push --porcelain` for one reference: `<flag> TAB <from>:<to> TAB <summary> (<reason>)`. */
export function readPushReport(report: string, reference: string, stderr = ''): PushResult {
  for (const line of report.split('\n')) {
    const [flag = '', names = '', summary = ''] = line.split('\t')
    if (!names.endsWith(`:${reference}`) || flag.length !== 1) continue
    if (flag === '=') return { state: 'up_to_date' }
    if (flag === '!') return refusal(summary, reference.slice('refs/heads/'.length), stderr)
    return { state: 'pushed' }
  }
  throw new AppError('unavailable', 'The remote did not say what became of the push: try again')
}

function refusal(summary: string, branch: string, stderr: string): PushResult {
  const lock = /Unable to create '([^'\n]{1,1000}\.lock)': File exists/.exec(stderr)?.[1]
  if (lock !== undefined) {
    return {
      state: 'refused',
      message: `${lock} is in the way: another git works there, or was killed and left it`,
    }
  }
  if (
    /stale info|fetch first|non-fast-forward|failed to update ref|cannot lock ref|incorrect old value/.test(
      summary,
    )
  ) {
    return { state: 'moved', message: `The branch ${branch} has moved meanwhile` }
  }
  if (/branch is currently checked out|deletion of the current branch/.test(summary)) {
    const advice = `switch the checkout to another branch (git switch --detach) and try again`
    return {
      state: 'checked_out',
      message: `The branch ${branch} is checked out in that repository: ${advice}`,
    }
  }
  const reason = /^[^(]*\(([^\n]*)\)\s*$/.exec(summary)?.[1] ?? summary
  const said = wordsOf(stderr)
  const words = said === '' ? reason : `${reason}: ${said}`
  return { state: 'refused', message: `The repository refused ${branch}: ${words.slice(0, 500)}` }
}

// What the other side printed, without its frames, links to follow and what it says twice.
function wordsOf(stderr: string): string {
  const lines = stderr
    .slice(0, 8000)
    .split(/[\r\n]+/)
    .flatMap((line) => (line.startsWith('remote:') ? line.slice('remote:'.length).trim() : []))
    .filter((line) => /\w/.test(line) && !isProgress(line))
  return [...new Set(lines)].slice(0, 4).join(' ').replace(/\.$/, '')
}
