import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const FOLDERS = ['pkg', 'registry', 'storage', 'apis', 'cmd'];

/**
 * The files that may call JSON.parse, which rounds integers beyond 2^53. What is an object, or a part of one, is read
 * by `decodeJson`, `parseJson` or `parseObject` instead.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'they are the exact readers': [
    'pkg/kube/json/decode.ts',
    'pkg/kube/json/parse.ts',
    'pkg/kube/json/scan.ts',
    'storage/state/codec.ts',
  ],
  'they read what the server itself has written of no object': [
    'pkg/console/files.ts',
    'pkg/system/log/logger.ts',
    'pkg/identity/signon/pending.ts',
    'pkg/system/text/warning-header.ts',
    'registry/rest/options/continue-token.ts',
    'storage/backup/read.ts',
    'storage/log/segment.ts',
    'storage/remote/batch.ts',
    'storage/tables/format/attributes.ts',
    'storage/tables/format/file.ts',
    'storage/tables/folder/manifest.ts',
    'cmd/apiserver/version.ts',
  ],
  'they read texts and small numbers only': [
    'apis/core/secret/encryption.ts',
    'apis/core/secret/types.ts',
    'apis/mirror/job/access.ts',
    'cmd/adminctl/accounts/server.ts',
    'cmd/adminctl/by-server.ts',
    'cmd/adminctl/gitops/documents.ts',
    'pkg/identity/authn/jwt.ts',
    'pkg/identity/signon/flow.ts',
    'pkg/identity/signon/settings.ts',
    'pkg/scim/filter.ts',
    'pkg/scim/query.ts',
    'storage/mongodb/format/documents.ts',
  ],
  'they read a refusal, a draft or names in a browser': [
    'pkg/console/client/lib/api.ts',
    'pkg/console/client/lib/opened.ts',
    'pkg/console/client/pages/folders/actions/access-warnings.ts',
    'pkg/console/client/pages/object/yaml/draft.ts',
    'pkg/console/client/pages/sets/draft.ts',
    'pkg/console/wait-for-style.ts',
  ],
};

describe('JSON', () => {
  it('is read by JSON.parse only where no object is read, because it rounds large integers', async () => {
    const args = ['grep', '--untracked', '-lE', String.raw`JSON\.parse\(`, '--', ...FOLDERS];
    const { stdout } = await run('git', args);
    const found = stdout.split('\n').filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|testing/.test(file));
    expect(found.sort()).to.deep.equal(Object.values(ALLOWED).flat().sort());
  });
});
