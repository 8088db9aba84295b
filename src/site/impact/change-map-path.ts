/** Where a repository of documentation says what its history cannot know. */
export const changeMapPath = '.docwright/map.yml'
