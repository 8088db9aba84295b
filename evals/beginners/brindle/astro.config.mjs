import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({ integrations: [starlight({ title: 'Brindle', sidebar: [
  { label: "First steps", link: '/start' },
  { label: "Installing Brindle", link: '/install' },
  { label: "Containers", link: '/docker' },
  { label: "Upgrade Brindle", link: '/upgrade' },
  { label: "Uninstalling Brindle", link: '/uninstall' },
  { label: "Backing up Brindle", link: '/backup' },
  { label: "Working with tiles", link: '/concept' },
  { label: "Configure Brindle", link: '/reference/config' },
  { label: "Known limits", link: '/reference/limits' },
  { label: "Plans and prices", link: '/pricing' },
  { label: "Brindle and Mapwright compared", link: '/compare' },
  { label: "Android and iOS", link: '/mobile' },
  { label: "Troubleshooting", link: '/reference/errors' },
  { label: "REST API", link: '/reference/rest-api' },
  { label: "Changelog", link: '/reference/changelog' },
] })] })
