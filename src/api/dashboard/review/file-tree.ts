import { html } from 'hono/html'
import { counts } from '../html/diff.ts'
import type { Html } from '../html/html.ts'
import { visiblePath, type ReviewFile } from './reviewed.ts'

interface Folder {
  name: string
  folders: Map<string, Folder>
  files: ReviewFile[]
}

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', type_changed: 'T' } as const

/** The changed files as a tree of folders. Folders that hold only one folder are shown as one. */
export function fileTree(
  files: readonly ReviewFile[],
  viewed: ReadonlySet<string>,
  problems: ReadonlySet<string>,
): Html {
  const root: Folder = { name: '', folders: new Map(), files: [] }
  for (const file of files) {
    let folder = root
    for (const name of file.path.split('/').slice(0, -1).slice(0, 30)) {
      const inner = folder.folders.get(name) ?? { name, folders: new Map(), files: [] }
      folder.folders.set(name, inner)
      folder = inner
    }
    folder.files.push(file)
  }
  return list(root, '', (file) => entry(file, viewed.has(file.path), problems.has(file.path)))
}

function list(folder: Folder, path: string, entryOf: (file: ReviewFile) => Html): Html {
  return html`<ul>
    ${[...folder.folders.values()].map((inner) => folderItem(inner, path, entryOf))}${folder.files.map(entryOf)}
  </ul>`
}

function folderItem(folder: Folder, path: string, entryOf: (file: ReviewFile) => Html): Html {
  let [shown, name] = [folder, folder.name]
  for (;;) {
    const [only, ...others] = shown.folders.values()
    if (!only || others.length > 0 || shown.files.length > 0) break
    shown = only
    name = `${name}/${only.name}`
  }
  const own = `${path}${name}/`
  return html`<li>
    <details open data-key="review folder ${own}">
      <summary><span class="path">${visiblePath(name)}</span></summary>
      ${list(shown, own, entryOf)}
    </details>
  </li>`
}

function entry(file: ReviewFile, isViewed: boolean, hasProblem: boolean): Html {
  const { path, status, number, additions, deletions, binary } = file
  const word = status === 'type_changed' ? 'changed' : status === 'renamed' ? 'moved' : status
  return html`<li class="review-entry ${isViewed ? 'viewed' : ''}" data-path="${path}">
    <a href="#file-${number}"
      ><span class="review-letter ${status}" title="${word}" aria-hidden="true">${letters[status]}</span
      ><span class="path">${visiblePath(path.split('/').at(-1) ?? path)}</span
      ><span class="hidden">, ${word}${isViewed ? ', viewed' : ''}</span></a
    >
    ${hasProblem ? html`<span class="review-flag" title="has problems">!<span class="hidden"> has problems</span></span>` : ''}
    ${binary || additions + deletions === 0 ? '' : counts(additions, deletions)}
  </li>`
}
