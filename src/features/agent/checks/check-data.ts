import { resolvePath, folderOf } from '../text/paths.ts'
import type { Finding } from './problem.ts'
import type { DataReport } from './read-data.ts'
import type { TextWorker } from './text-worker.ts'
import type { FileVersion } from './tree-change.ts'

/** Of blobs: every round of a turn asks for the same ones. */
const reports = new Map<string, DataReport | 'late'>()
const maxReports = 1000

const data = /\.(?:json|jsonc|ya?ml)$/i

/** Whether JSON and YAML can be read, and OpenAPI documents hold together. */
export async function checkData(
  { path, text, oid, view }: FileVersion,
  readData: TextWorker['readData'],
  signal?: AbortSignal,
): Promise<Finding[]> {
  if (!data.test(path)) return []
  // How lenient a file is read hangs on its name.
  const key = `${oid} ${path}`
  const report = reports.get(key) ?? (await readData({ path, text }, signal))
  if (reports.size >= maxReports) reports.clear()
  reports.set(key, report)
  if (report === 'late') {
    const message = 'The file takes too long to read, so it was not checked'
    return [{ check: 'data', severity: 'warning', line: 1, message, hint: 'Make it shorter or less nested' }]
  }
  const kind = /\.ya?ml$/i.test(path) ? 'YAML' : 'JSON'
  if (report.error !== undefined) {
    const { line, message } = report.error
    const hint = `Repair the ${kind} at this line`
    return [{ check: 'data', line, message: `The file is no valid ${kind}: ${message}`, hint, same: 'data' }]
  }
  const files = view.oids()
  return report.openapi
    .filter(({ file }) => {
      const target = file === undefined ? undefined : resolvePath(folderOf(path), file)
      return file === undefined || (target !== undefined && !files.has(target))
    })
    .map(({ line, message, hint }) => ({ check: 'openapi', line, message, hint }))
}
