/** Why no answer came, from what fetch throws; `passing` is what may go away when asked again. */
export function explainSilence(error: unknown): { reason: string; passing: boolean } {
  const code = codeOf(error, 0)
  if (code === undefined) return { reason: 'the connection broke', passing: true }
  if (code === 'TimeoutError' || code === 'AbortError' || code.includes('TIMEOUT')) {
    return { reason: 'it did not answer in time', passing: true }
  }
  if (code === 'ENOTFOUND') return { reason: 'its name is not known here: check the address', passing: false }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code)) {
    return {
      reason: `its certificate is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS`,
      passing: false,
    }
  }
  return { reason: code, passing: true }
}

function codeOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return error.name
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const found = code ?? codeOf(inner, depth + 1)
  return found !== undefined && /^\w{1,60}$/.test(found) ? found : undefined
}
