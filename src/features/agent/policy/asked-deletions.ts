const longest = 20_000

const verbs = listed(
  'delete deletes deleted deleting remove removes removed removing drop erase wipe purge discard lösche löschen entferne entfernen supprime supprimer elimina eliminar borra borrar apaga apagar remova remover',
)
const all = listed(
  'all every everything most entire whole other others rest remaining alle alles toutes tous todas todos',
)
const whole = listed('everything rest others alles')
const things = listed(
  'page pages doc docs documentation file files site guide guides article articles content folder seiten dateien fichiers páginas archivos arquivos',
)
const prepositions = listed('of from in on about with for to')

function listed(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/**
 * Which pages a person's prompts ask to delete: those that they name along with a word for deleting, or every page
 * where they say `delete all pages`.
 */
export function askedDeletions(request: string): (path: string, title: string | undefined) => boolean {
  const text = request.slice(0, longest).toLowerCase()
  const words = text.match(/[\p{L}\p{N}'-]{1,50}/gu) ?? []
  if (!words.some((word) => verbs.has(word)) && !/[削删刪]除|삭제/.test(text)) return () => false
  if (words.some((word, at) => verbs.has(word) && meansAll(words.slice(at + 1, at + 7)))) return () => true
  const plain = ` ${words.join(' ').replaceAll(/[-_]/g, ' ')} `
  return (path, title) => {
    const parts = path
      .toLowerCase()
      .replace(/\.\w{1,10}$/, '')
      .split('/')
    if (parts.at(-1) === 'index' && parts.length > 1) parts.pop()
    const folders = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)
    const names = [parts.at(-1) ?? '', title?.toLowerCase() ?? ''].map((name) =>
      (name.match(/[\p{L}\p{N}']{1,50}/gu) ?? []).join(' '),
    )
    return (
      text.includes(path.toLowerCase()) ||
      folders.some((folder) => isWholeIn(text, folder)) ||
      names.some((name) => name.length > 2 && plain.includes(` ${name} `))
    )
  }
}

/** Whether words after a word for deleting mean whole pages: `all the old pages`, but not `all spaces in pages`. */
function meansAll(words: readonly string[]): boolean {
  const at = words.slice(0, 3).findIndex((word) => all.has(word))
  if (at === -1) return false
  if (whole.has(words[at] ?? '')) return true
  const next = words[at + 1] === 'of' ? at + 2 : at + 1
  for (const word of words.slice(next, next + 3)) {
    if (things.has(word)) return true
    if (prepositions.has(word)) return false
  }
  return false
}

/** Whether the folder itself is named, and not only a path in it. */
function isWholeIn(text: string, folder: string): boolean {
  for (let at = text.indexOf(folder); at !== -1; at = text.indexOf(folder, at + 1))
    if (!/^[\w.-]/.test(text.slice(at + folder.length, at + folder.length + 1))) return true
  return false
}
