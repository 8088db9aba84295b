/** With its classes, and with the blanks behind it, which would stand alone at the start of a list item. */
const icon =
  /:(?:material|octicons|fontawesome|simple)-[a-z\d-]{1,80}:(?:\{:?\s?\.[^{}\n]{0,200}\})?[ \t]{0,20}/g
const keys = /\+\+([a-z\d]{1,20}(?:[+-][a-z\d]{1,20}){0,5})\+\+/g
const attributes = /(?<=\)|\]|^|\s)\{:?\s?[.#][^{}\n]{0,200}\}|(?<=\))\{:?\s?[a-z-]{1,30}=[^{}\n]{0,200}\}/g
const grid =
  /^(\s{0,20})<div\b(?=[^<>]{0,200}\smarkdown\b)[^<>]{0,200}\sclass="grid(?: cards)?"[^<>]{0,200}>$/
const contents = /^\s*(?:\[\[_?toc_?\]\]|\[TOC\])\s*$/i

/**
 * A line of Markdown without what only extensions of Python Markdown understand: icons, attributes of elements and the
 * place of a table of contents. Keys become keys, and a grid holds cards. Code in the line is left alone.
 */
export function tidyLine(line: string): string {
  if (contents.test(line)) return ''
  if (grid.test(line)) return line.replace(grid, '$1<div data-component="cards">')
  if (!/:[a-z]{5,12}-|\+\+|\{/.test(line)) return line
  const parts = line.split(/(`+[^`]*`+)/)
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return shownRole(parts[index - 1] ?? '', part)
      return tidied(parts[index + 1] === undefined ? part : part.replace(role, ''))
    })
    .join('')
}

const role = /\{([a-z][\w:-]{0,40})\}$/

/** A role of MyST, as in `{doc}` before a piece of code, is shown as what it says. */
function shownRole(before: string, code: string): string {
  const [, name] = role.exec(before) ?? []
  if (name === undefined || code.startsWith('``')) return code
  const [, text = '', target = ''] = /^(.{1,300})\s<([^<>\s]{1,300})>$/.exec(code.slice(1, -1)) ?? []
  if (text === '') return /^(?:doc|ref|any|term|abbr|bdg[\w-]*)$/.test(name) ? code.slice(1, -1) : code
  return name === 'doc' ? `[${text}](${target})` : text
}

/** A title, which may show an icon. */
export function withoutIcons(title: string): string {
  return title.includes(':') ? title.replaceAll(icon, '') : title
}

function tidied(text: string): string {
  return withoutIcons(text)
    .replaceAll(attributes, '')
    .replaceAll(keys, (_, names: string) =>
      names
        .split('+')
        .map((name) => `<kbd>${name.charAt(0).toUpperCase()}${name.slice(1)}</kbd>`)
        .join('+'),
    )
}
