import type { AttachedFile } from '../talk/conversation.ts'

const texts: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  yaml: 'text/plain',
  yml: 'text/plain',
  toml: 'text/plain',
  md: 'text/markdown',
  mdx: 'text/markdown',
  json: 'application/json',
}
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const [mostText, mostImage] = [100_000, 5_000_000]

/** What a site lets readers attach, for the browser's dialog. @param files as in `Options` */
export function takenTypes(files: string | undefined): string[] {
  const named = (files ?? '').split(/[\s,]+/)
  return [
    ...(named.includes('text') ? Object.keys(texts).map((ending) => `.${ending}`) : []),
    ...(named.includes('images') ? images : []),
  ]
}

/** A file as the server takes it; undefined for one that it would not read. */
export async function readFile(file: File, files: string | undefined): Promise<AttachedFile | undefined> {
  const ending = file.name.toLowerCase().split('.').at(-1) ?? ''
  const taken = takenTypes(files)
  const asText = taken.includes(`.${ending}`) ? texts[ending] : undefined
  const mediaType = asText ?? (taken.includes(file.type) ? file.type : undefined)
  if (mediaType === undefined || file.size > (asText === undefined ? mostImage : mostText)) return undefined
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return { filename: file.name, mediaType, url: `data:${mediaType};base64,${btoa(binary)}` }
}
