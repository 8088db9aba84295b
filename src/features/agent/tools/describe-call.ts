/** A tool call in a few words for the people who watch: `Read guides/install.md`. */
export function describeCall(name: string, input: unknown): string {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {}
  const field = (key: string): string => {
    const value = fields[key]
    return typeof value === 'string' ? value.slice(0, 120) : ''
  }
  const verbs: Record<string, string> = {
    list_files: `List files ${field('path')}`,
    list_pages: `List pages ${field('query')}`,
    grep: `Search for ${field('pattern')}`,
    read_file: `Read ${field('path')}`,
    search_docs: `Search the docs for ${field('query')}`,
    edit_file: `Edit ${field('path')}`,
    write_file: `Write ${field('path')}`,
    move_page: `Move ${field('from')} to ${field('to')}`,
    delete_page: `Delete ${field('path')}`,
    set_front_matter: `Set front matter of ${field('path')}`,
    add_to_navigation: `Add ${field('path')} to the navigation`,
    check: 'Check links and navigation',
    finish: `Finish: ${field('title')}`,
  }
  return (verbs[name] ?? name.slice(0, 100)).trim()
}
