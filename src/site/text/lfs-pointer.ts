/** Bytes of the longest pointer. */
export const longestPointer = 1024
const form =
  /^version https:\/\/(?:git-lfs|hawser)\.github\.com\/spec\/v1\r?\n(?:[a-z0-9.-]+ [^\r\n]*\r?\n){0,20}oid [a-z0-9]+:[0-9a-f]{40,128}\r?\n(?:[a-z0-9.-]+ [^\r\n]*(?:\r?\n|$)){0,20}$/

/** Whether a file's bytes are only a pointer of Git LFS to what is kept outside of the repository. */
export function isLfsPointer(bytes: Uint8Array): boolean {
  // Nearly all files are told apart by their size and first letter.
  return bytes.length <= longestPointer && bytes[0] === 0x76 && form.test(new TextDecoder().decode(bytes))
}
