/**
 * Builds the image of the Dockerfile without Docker and tries it: each step of the file runs in a root folder of its
 * own, made by debootstrap, and the result runs as its user, on a root that is read-only. For machines where no
 * image can be built; it needs root, Linux and debootstrap.
 *
 *   sudo npm run try:image [-- folder]   (keeps the roots in the folder, so that another run begins with them)
 */
import { execFileSync, type StdioOptions } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { listOf, readDockerfile, variablesOf } from './package/dockerfile.ts'
import { tryServer } from './package/try-server.ts'

const source = resolve(import.meta.dirname, '..')
const kept = process.argv[2]
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'docwright-image-')) : resolve(kept)
const base = join(folder, 'base')
const context = join(folder, 'context')

interface Stage {
  root: string
  workdir: string
  user: string
  environment: Record<string, string>
  entrypoint: string[]
  command: string[]
  health: string[]
}

try {
  if (!existsSync(join(base, 'home/node'))) makeBase()
  rmSync(context, { recursive: true, force: true })
  const image = build()
  await tryImage(image)
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}

function run(program: string, given: string[], stdio: StdioOptions = ['ignore', 'ignore', 'inherit']): void {
  execFileSync(program, given, { stdio, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
}

/** What the image that the Dockerfile starts from has: Debian, Node, npm and a user called node. */
function makeBase(): void {
  console.log('Making Debian with Node')
  rmSync(base, { recursive: true, force: true })
  mkdirSync(base, { recursive: true })
  run('debootstrap', ['--variant=minbase', 'bookworm', base, 'http://deb.debian.org/debian'])
  const local = join(base, 'usr/local')
  cpSync(process.execPath, join(local, 'bin/node'), { dereference: true })
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim()
  cpSync(resolve(npm, '../..'), join(local, 'lib/node_modules/npm'), { recursive: true })
  run('chroot', [base, 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'])
  run('chroot', [base, 'useradd', '--uid', '1000', '--create-home', 'node'])
}

function build(): Stage {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  for (const { name, text } of readDockerfile(readFileSync(join(source, 'Dockerfile'), 'utf8'))) {
    console.log(`${name} ${text}`)
    if (name === 'FROM') {
      const [, image = '', label] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? []
      if (!/^node:24-bookworm-slim$/.test(image)) throw new Error(`There is no base like ${image}`)
      stage = begin(join(folder, label ?? 'image'))
      stages.set(label ?? '', stage)
    } else if (!stage) throw new Error('The Dockerfile does not begin with FROM')
    else perform(stage, name, text, stages)
  }
  if (!stage) throw new Error('The Dockerfile has no stage')
  return stage
}

function begin(root: string): Stage {
  rmSync(root, { recursive: true, force: true })
  run('cp', ['--archive', '--reflink=auto', base, root])
  // The network as this machine has it, for packages.
  for (const path of [
    '/etc/resolv.conf',
    '/etc/hosts',
    '/etc/apt/sources.list',
    '/etc/apt/sources.list.d',
    '/etc/apt/apt.conf.d',
    '/etc/ssl/certs',
  ])
    if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true })
  return { root, workdir: '/', user: '0:0', environment: {}, entrypoint: [], command: [], health: [] }
}

function perform(stage: Stage, name: string, text: string, stages: ReadonlyMap<string, Stage>): void {
  if (name === 'WORKDIR') {
    stage.workdir = text
    mkdirSync(join(stage.root, text), { recursive: true })
  } else if (name === 'COPY') copy(stage, text, stages)
  else if (name === 'RUN') runInside(stage, text)
  else if (name === 'ENV') Object.assign(stage.environment, variablesOf(text))
  else if (name === 'USER') stage.user = text
  else if (name === 'ENTRYPOINT') stage.entrypoint = listOf(text)
  else if (name === 'CMD') stage.command = listOf(text)
  else if (name === 'HEALTHCHECK') stage.health = listOf(text.slice(text.indexOf('[')))
  else if (!['LABEL', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'].includes(name))
    throw new Error(`scripts/try-image.ts does not know ${name}`)
}

function copy(stage: Stage, text: string, stages: ReadonlyMap<string, Stage>): void {
  const [, label, rest = text] = /^--from=(\S+) (.*)$/.exec(text) ?? []
  const places = rest.split(' ')
  const to = resolve(stage.workdir, places.pop() ?? '')
  const from = label === undefined ? filledContext() : stages.get(label)?.root
  if (from === undefined) throw new Error(`There is no stage ${label}`)
  for (const place of places) {
    const path = join(from, place)
    const isFolder = statSync(path).isDirectory()
    const target = isFolder ? to : join(to, place.slice(place.lastIndexOf('/') + 1))
    mkdirSync(dirname(join(stage.root, target)), { recursive: true })
    cpSync(path, join(stage.root, target), { recursive: true })
  }
}

/** What Docker would be sent: the files of the repository that .dockerignore does not leave out. */
function filledContext(): string {
  if (existsSync(context)) return context
  const files = execFileSync('git', [
    '-C',
    source,
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
  ])
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(source, path)) && !isIgnored(path))
  for (const path of files) {
    mkdirSync(dirname(join(context, path)), { recursive: true })
    cpSync(join(source, path), join(context, path))
  }
  return context
}

// The last line that fits decides.
function isIgnored(path: string): boolean {
  let ignored = false
  for (const line of readFileSync(join(source, '.dockerignore'), 'utf8').split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const pattern = line
      .replace(/^!/, '')
      .replaceAll(/[.+^$()|[\]{}]/g, String.raw`\$&`)
      .replaceAll('**/', '(?:.*/)?')
      .replaceAll(/(?<![)])\*/g, '[^/]*')
    if (new RegExp(`^${pattern}(?:/.*)?$`).test(path)) ignored = !line.startsWith('!')
  }
  return ignored
}

function runInside({ root, workdir, environment }: Stage, text: string): void {
  const npmrc = join(homedir(), '.npmrc')
  if (existsSync(npmrc)) cpSync(npmrc, join(root, 'tmp/npmrc'))
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    npm_config_userconfig: '/tmp/npmrc',
    ...(existsSync('/etc/ssl/certs/ca-certificates.crt') && {
      NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    }),
    ...environment,
  }
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  // A /proc of its own, which also ends whatever a step leaves running.
  const script =
    'mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/dev/shm" 2>/dev/null; cd "$1"; shift; exec chroot . env -i "$@"'
  run(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      'sh',
      '-c',
      script,
      'sh',
      root,
      ...settings,
      'sh',
      '-c',
      `cd ${workdir} && ${text}`,
    ],
    ['ignore', 'ignore', 'inherit'],
  )
  rmSync(join(root, 'tmp/npmrc'), { force: true })
}

/** As `docker run --read-only --tmpfs /tmp --cap-drop ALL` with a new volume. */
async function tryImage(image: Stage): Promise<void> {
  const port = '4977'
  const settings = Object.entries({
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...image.environment,
    PORT: port,
  }).map(([name, value]) => `${name}=${value}`)
  const script = [
    'mount --bind "$1" "$1"',
    'mount -o remount,bind,ro "$1"',
    'mount -t proc proc "$1/proc"',
    'mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"',
    'mount -t tmpfs -o mode=0700,uid=1000,gid=1000 tmpfs "$1/data"',
    'mount --rbind /dev "$1/dev"',
    'cd "$1"; shift',
    'exec "$@"',
  ].join(' && ')
  const [user = '0', group = '0'] = image.user.split(':')
  const limited = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all', '--clear-groups']
  const onReadOnlyRoot = ['--mount', 'sh', '-c', script, 'sh', image.root]
  const asUser = ['chroot', '.', 'setpriv', `--reuid=${user}`, `--regid=${group}`, ...limited]
  const program = ['env', '-i', ...settings, ...image.entrypoint, ...image.command]
  const tried = await tryServer(
    'unshare',
    [...onReadOnlyRoot, ...asUser, ...program],
    { cwd: folder, env: process.env },
    async () => {
      run('chroot', [image.root, 'env', '-i', ...settings, ...image.health])
      console.log('The health check passes')
    },
  )
  console.log(`The image works: ${tried.pullRequest}, "${tried.answer.slice(0, 60)}…"`)
}
