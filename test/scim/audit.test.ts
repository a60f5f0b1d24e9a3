import { expect } from 'chai';
import { auditLog, EVERYTHING } from '../harness/audit-log.js';
import { oneStore } from '../harness/stores.js';
import { PATCH, scimOf } from './scim.js';

const log = auditLog(EVERYTHING);
const SECRET = 'A secret that nobody reads';

oneStore(
  'the audit log of SCIM',
  (server) => {
    const { ask, makeUser } = scimOf(server);

    // Promise: security rights
    it('has no password, however a request gives it', async () => {
      const { id } = await makeUser({ password: `${SECRET} 0` });
      const operations = [
        { op: 'replace', path: 'password', value: `${SECRET} 1` },
        { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:PASSWORD', value: `${SECRET} 2` },
        { op: 'replace', value: { password: `${SECRET} 3` } },
        { op: 'replace', value: { PassWord: `${SECRET} 4` } },
        { op: 'replace', value: { 'urn:ietf:params:scim:schemas:core:2.0:User:password': `${SECRET} 5` } },
      ];
      for (const operation of operations)
        await ask(200, 'PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [operation] });
      const data = { schemas: [PATCH], Operations: operations };
      await ask(200, 'POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [{ method: 'PATCH', path: `/Users/${id}`, data }],
      });
      const text = log.lines.join('\n');
      expect(text).to.include('/scim.svc.app/').and.include('PATCH');
      expect(text).to.not.include(SECRET);
    });
  },
  { audit: log.trail },
);
