import { visiblePath } from '../../../api/frame/html/visible.ts'
import { html } from 'hono/html'
import { sha256 } from '../../../lib/ids.ts'
import { counts } from '../../../api/frame/html/diff.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { nameOfState } from '../../../api/frame/html/shown.ts'
import { type ReviewFile } from './reviewed.ts'

interface Folder {
  name: string
  folders: Map<string, Folder>
  files: ReviewFile[]
}

interface Known {
  /** Paths of files that the reader has viewed, and of those with problems. */
  viewed: ReadonlySet<string>
  problems: ReadonlySet<string>
  /** What the section of each file is called, by its id. */
  names: ReadonlyMap<string, string>
  /** What the browser shows already, by name. */
  shown: ReadonlySet<string> | undefined
}

const letters = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', type_changed: 'T' } as const

/** The changed files as a tree of folders. Folders that hold only one folder are shown as one. */
export function fileTree(files: readonly ReviewFile[], known: Known): Html {
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
  return list(root, '', known)
}

function list(folder: Folder, path: string, known: Known): Html {
  return html`<ul>
    ${[...folder.folders.values()].map((inner) => folderItem(inner, path, known))}${folder.files.map((file) => entry(file, known))}
  </ul>`
}

function folderItem(folder: Folder, path: string, known: Known): Html {
  let [shown, name] = [folder, folder.name]
  for (;;) {
    const [only, ...others] = shown.folders.values()
    if (!only || others.length > 0 || shown.files.length > 0) break
    shown = only
    name = `${name}/${only.name}`
  }
  const own = `${path}${name}/`
  const id = `folder-${sha256(own).slice(0, 12)}`
  const print = nameOfState([own, stateOf(shown, known)])
  if (known.shown?.has(print)) return html`<li id="${id}" data-same></li>`
  return html`<li id="${id}" data-shown="${print}">
    <details open data-key="review folder ${own}">
      <summary><span class="path">${breakable(visiblePath(name))}</span></summary>
      ${list(shown, own, known)}
    </details>
  </li>`
}

/** Lines may end behind the slashes of a path. */
function breakable(path: string): Html[] {
  return path.split('/').map((part, index) => html`${index === 0 ? '' : html`/<wbr />`}${part}`)
}

/** Everything that is printed of a folder. */
function stateOf({ folders, files }: Folder, { names }: Pick<Known, 'names'>): unknown {
  const inner = [...folders.values()].map((folder) => [folder.name, stateOf(folder, { names })])
  return [inner, files.map(({ id }) => names.get(id))]
}

function entry(file: ReviewFile, { viewed, problems, names, shown }: Known): Html {
  const { path, status, id, additions, deletions, binary } = file
  if (shown?.has(names.get(id) ?? '') === true) return html`<li id="in-list-${id}" data-same></li>`
  const [isViewed, hasProblem] = [viewed.has(path), problems.has(path)]
  const word = status === 'type_changed' ? 'changed' : status === 'renamed' ? 'moved' : status
  return html`<li id="in-list-${id}" class="review-entry ${isViewed ? 'viewed' : ''}" data-path="${path}">
    <a href="#${id}"
      ><span class="review-letter ${status}" title="${word}" aria-hidden="true">${letters[status]}</span
      ><span class="path">${visiblePath(path.split('/').at(-1) ?? path)}</span
      ><span class="hidden">, ${word}${isViewed ? ', viewed' : ''}</span></a
    >
    ${hasProblem ? html`<span class="review-flag" title="has problems">!<span class="hidden"> has problems</span></span>` : ''}
    ${binary || additions + deletions === 0 ? '' : counts(additions, deletions)}
  </li>`
}
