-- Projects that are older than the setting of who may read their pages. The next start decides for them, because only the
-- server knows which repositories it has a credential for; until then nobody reads them without signing in.
update projects set settings = settings || '{"visibility": "undecided"}';
