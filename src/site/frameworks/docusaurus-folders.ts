import { defaultPlugin, readDocusaurusConfig } from '../scripts/docusaurus-config.ts'
import { parseScript } from '../scripts/parse-script.ts'
import { type DocsFolder, importedPath } from '../scripts/read-navigation.ts'
import { createResolver } from '../scripts/resolve.ts'
import { defaultTranslations, type DocsInstance } from './docusaurus-instances.ts'

/** Every folder of docs, current and older ones, with the file of its sidebars. */
export async function docusaurusFolders(input: {
  config: string
  source: string
  paths: ReadonlySet<string>
  instances: readonly DocsInstance[]
}): Promise<DocsFolder[]> {
  const { config, source, paths, instances } = input
  const base = config.slice(0, config.lastIndexOf('/') + 1)
  const script = await parseScript(config, source)
  const stated = script
    ? readDocusaurusConfig(
        createResolver(() => undefined),
        script,
      ).sidebarPaths
    : []
  const at = (path: string | undefined) =>
    path === undefined
      ? undefined
      : importedPath(config, path.replace(/^(?!\.{1,2}\/|@site\/)\/?/, './'), { paths, base })
  return instances.flatMap((instance) => {
    const id = instance.translationFolder.slice(defaultTranslations.length + 1)
    const plugin = id === '' ? defaultPlugin : id
    const own = stated.find((one) => one.plugin === plugin)
    // A configuration that cannot be read has its sidebars where they usually are.
    const usual = script === undefined && plugin === defaultPlugin ? './sidebars' : undefined
    const current = { path: instance.folder, plugin, sidebars: at(own?.path ?? usual) }
    const older = [...instance.versions.keys()].map((version) => {
      const sidebars = `${instance.versionedFolder.replace(/_docs\/$/, '_sidebars/')}version-${version}-sidebars.json`
      return {
        path: `${instance.versionedFolder}version-${version}/`,
        plugin,
        sidebars: paths.has(sidebars) ? sidebars : undefined,
      }
    })
    return [current, ...older]
  })
}
