import { defineAssistant, mountAssistant, type MountOptions, type Mounted } from './assistant-element.ts'

export type { MountOptions, Mounted } from './assistant-element.ts'

const home = import.meta.url.replace(/\/widget\.mjs.*/, '')
defineAssistant(home)

/** Puts an assistant on the page. */
export function mount(options: MountOptions): Mounted {
  return mountAssistant(home, options)
}
