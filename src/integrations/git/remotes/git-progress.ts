/**
 * The progress of a fetch or a push. `phase` in git's words ("receiving objects", "writing objects"); `total` and
 * `bytes` when git tells them.
 */
export type GitProgress = {
  phase: string
  done: number
  total: number | undefined
  bytes: number | undefined
}

const line =
  /^(?:remote: )?([A-Z][A-Za-z ]{2,40}):\s{1,9}(?:\d{1,3}% \()?(\d{1,12})(?:\/(\d{1,12})\))?(?:, (\d{1,9}(?:\.\d{1,3})?) (bytes|KiB|MiB|GiB))?/
const units: Readonly<Record<string, number>> = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** Whether a line of the remote is nothing but progress. */
export function isProgress(text: string): boolean {
  return line.test(text)
}

/** Reads the lines of `--progress`, which end in carriage returns and arrive in pieces. Anything else is passed over. */
export function progressReader(report: (progress: GitProgress) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split(/[\r\n]/)
    // A server may send an endless line.
    rest = (lines.pop() ?? '').slice(-1000)
    for (const one of lines) {
      const match = line.exec(one.slice(0, 1000))
      if (match === null) continue
      const [, phase = '', done, total, amount, unit] = match
      report({
        phase: phase.toLowerCase(),
        done: Number(done),
        total: total === undefined ? undefined : Number(total),
        bytes: amount === undefined ? undefined : Math.round(Number(amount) * (units[unit ?? ''] ?? 1)),
      })
    }
  }
}
