/** `44.3 GB`: an amount of bytes as people read it. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
  const amount = bytes / 1024 ** step
  return `${amount.toLocaleString('en', { maximumFractionDigits: amount < 10 && step > 0 ? 1 : 0 })} ${units[step]}`
}

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const
