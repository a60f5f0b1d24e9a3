import { expect } from 'chai';
import { create, HOUSE, LAMP, ROOM } from '../testing/house.js';
import { ANN, type Served, serve } from '../testing/served.js';
import { accessControlOf } from './access-control.js';
import { callTo } from './testing/routed.js';

describe('the member accessControl', () => {
  let served: Served;
  before(async () => {
    served = await serve(HOUSE);
    for (const room of ['hall', 'attic']) await create(served, ROOM, room);
    for (const name of ['desk', 'wall']) await create(served, LAMP, name, { watts: 1 });
    await create(served, LAMP, 'roof', { watts: 1 }, {}, 'attic');
    served.permissions = [
      { action: 'lamps:read', scope: 'lamps:*' },
      { action: 'lamps:write', scope: 'lamps:uid:desk' },
    ];
  });
  after(() => served.close());

  const of = (name: string, query: string, namespace = 'hall') => {
    const call = callTo(served, {}, { user: ANN, query });
    const object = callTo(served, {}, {}).objects('house/Lamp', namespace).get(name);
    return accessControlOf(call, 'house/Lamp', object, ['lamps:read', 'lamps:write', 'lamps:delete']);
  };

  it('has the actions that the caller has on the object', () => {
    expect(of('desk', 'accesscontrol=true')).to.deep.equal({
      accessControl: { 'lamps:read': true, 'lamps:write': true },
    });
    expect(of('wall', 'accesscontrol=true')).to.deep.equal({ accessControl: { 'lamps:read': true } });
    expect(of('roof', 'accesscontrol=true', 'attic')).to.deep.equal({ accessControl: { 'lamps:read': true } });
  });

  it('is there only if the request asks for it', () => {
    for (const query of ['', 'accesscontrol=false', 'accesscontrol=0']) expect(of('desk', query)).to.deep.equal({});
  });
});
