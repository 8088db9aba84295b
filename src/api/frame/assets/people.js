// Passkeys need a script. Without one, people sign in with a password or at another server.
import { addressOf } from './address.js'
import { problemLine } from './problems.js'

const csrf = () => document.querySelector('[name=csrf]')?.value ?? ''

if (globalThis.PublicKeyCredential) {
  for (const part of document.querySelectorAll('[data-passkey], [data-passkey-only]')) part.hidden = false
  on('sign-in', async () => {
    const options = await post('/admin/session/passkey/options')
    const credential = await navigator.credentials.get({ publicKey: parsed(options) })
    await post('/admin/session/passkey', { response: printed(credential) })
    location.assign(addressOf('/sign-in'))
  })
  on('add', async (part) => {
    const options = await post('/admin/account/passkeys/options')
    const credential = await navigator.credentials.create({ publicKey: parsed(options) })
    const name = part.querySelector('input')?.value.trim()
    await post('/admin/account/passkeys', { response: printed(credential), ...(name ? { name } : {}) })
    location.assign(addressOf(part.dataset.next ?? '/account?done=passkey'))
  })
}

function on(use, work) {
  const part = document.querySelector(`[data-passkey="${use}"]`)
  const button = part?.querySelector('button')
  button?.addEventListener('click', () => {
    part.querySelector('[data-problem]')?.remove()
    button.disabled = true
    work(part)
      .catch((error) => part.append(problemLine(messageOf(error))))
      .finally(() => {
        button.disabled = false
      })
  })
}

async function post(path, body) {
  const response = await fetch(addressOf(path), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf() },
    body: JSON.stringify(body ?? {}),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

function messageOf(error) {
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.'
  if (error.name === 'NotAllowedError') return 'Passkey prompt dismissed or timed out. Try again.'
  return error.message
}

function parsed({ challenge, user, excludeCredentials, allowCredentials, ...options }) {
  const list = (credentials) => credentials?.map((one) => ({ ...one, id: bytes(one.id) }))
  return {
    ...options,
    challenge: bytes(challenge),
    ...(user && { user: { ...user, id: bytes(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: list(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: list(allowCredentials) }),
  }
}

function printed(credential) {
  const { response } = credential
  const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(
        parts.filter((name) => response[name]).map((name) => [name, text(response[name])]),
      ),
      ...(response.getTransports && { transports: response.getTransports() }),
    },
  }
}

function bytes(base64url) {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}

function text(buffer) {
  const binary = String.fromCharCode(...new Uint8Array(buffer))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
