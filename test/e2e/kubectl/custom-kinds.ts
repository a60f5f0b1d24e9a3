import { expect } from 'chai';
import { cells, type Setup } from './setup.js';
import { DEFINITION, type Widget, type WidgetSpec, widget } from './widgets.js';

export function customKinds(setup: Setup): void {
  const ok = (args: readonly string[], input = ''): Promise<string> => setup.kubectl.ok(args, { input });
  const fails = (args: readonly string[], input = ''): Promise<string> => setup.kubectl.fails(args, { input });
  const read = (name: string): Promise<Widget> => setup.kubectl.json<Widget>(['get', 'widget', name]);
  const make = (name: string, spec: WidgetSpec): Promise<string> => ok(['create', '-f', '-'], widget(name, spec));

  describe('custom kinds', () => {
    before(async () => {
      await ok(['apply', '-f', '-'], DEFINITION);
      await ok(['wait', '--for=condition=Established', 'crd/widgets.shop.example.com', '--timeout=10s']);
    });

    defining();
    writing();
    changing();
  });

  function defining(): void {
    it('apply of the same definition changes nothing', async () => {
      expect(await ok(['apply', '-f', '-'], DEFINITION)).to.contain('widgets.shop.example.com unchanged');
      const created = await ok(['get', 'crd', 'widgets.shop.example.com']);
      expect(created).to.match(/^NAME +CREATED AT\nwidgets\.shop\.example\.com +20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/);
    });

    it('explain shows the descriptions of the schema, and all fields', async () => {
      const text = await ok(['explain', 'widgets.spec']);
      expect(text).to.match(/GROUP:\s+shop\.example\.com/);
      expect(text)
        .to.contain('What the widget is.')
        .and.to.match(/colour\s+<string> -required-/);
      const all = await ok(['explain', 'wd', '--recursive']);
      expect(all).to.match(/parts\s+<\[\]Object>\n\s+count\s+<integer>\n\s+name\s+<string> -required-/);
      expect(await ok(['explain', 'widget.spec.parts.name'])).to.contain('How the part is called.');
    });
  }

  function writing(): void {
    it('create tells what the schema, the rules and the validation of fields refuse', async () => {
      const create = ['create', '-f', '-'];
      expect(await fails(create, widget('bad', { colour: 'pink' }))).to.contain(
        'spec.colour: Unsupported value: "pink": supported values: "red", "green", "blue"',
      );
      expect(await fails(create, widget('bad', {}))).to.contain('spec.colour: Required value');
      expect(await fails(create, widget('bad', { colour: 'red', replicas: 11 }))).to.contain('fewer than ten, please');
      expect(await fails(create, widget('bad', { colour: 'red' }, { size: 1 }))).to.contain(
        'unknown field "spec.size"',
      );
      const double =
        '{"apiVersion":"shop.example.com/v1","kind":"Widget","metadata":{"name":"bad"},"spec":{"colour":1}}';
      expect(await fails(create, double)).to.contain('spec.colour: Invalid value: "integer"');
      expect(await fails(['get', 'widget', 'bad'])).to.contain('NotFound');
    });

    it('get shows the columns of the definition, those of wide, and finds by category and field', async () => {
      await make('columns', { colour: 'green' });
      const header = async (args: readonly string[]) => cells(await ok(args))[0];
      expect(await header(['get', 'wd'])).to.deep.equal(['NAME', 'COLOUR', 'PHASE', 'AGE']);
      expect(await header(['get', 'wd', '-o', 'wide'])).to.deep.equal(['NAME', 'COLOUR', 'REPLICAS', 'PHASE', 'AGE']);
      expect(await ok(['get', 'goods', '-o', 'name'])).to.equal('widget.shop.example.com/columns\n');
      expect(await ok(['get', 'wd', '--field-selector=spec.colour=green', '-o', 'name'])).to.contain('/columns');
      expect(await ok(['get', 'wd', '--field-selector=spec.colour=red', '-o', 'name'])).to.equal('');
      expect(await ok(['describe', 'wd', 'columns'])).to.match(/Colour:\s+green/);
    });
  }

  function changing(): void {
    it('scale and the subresources status and scale leave the rest as it is', async () => {
      await make('scaled', { colour: 'red' });
      expect(await ok(['scale', 'widget/scaled', '--replicas=3'])).to.contain('scaled');
      const status = '{"status":{"phase":"Ready","replicas":3},"spec":{"colour":"blue"}}';
      await ok(['patch', 'wd', 'scaled', '--subresource=status', '--type=merge', '-p', status]);
      await ok(['wait', 'widget/scaled', '--for=jsonpath={.status.phase}=Ready', '--timeout=10s']);
      const { spec, metadata } = await read('scaled');
      expect(spec).to.deep.equal({ colour: 'red', replicas: 3 });
      expect(metadata.generation).to.equal(2);
      expect(await ok(['get', 'wd', 'scaled', '--subresource=status'])).to.match(/scaled\s+red\s+Ready/);
      const scale = ['get', 'wd', 'scaled', '--subresource=scale', '-o', 'jsonpath={.status.replicas}'];
      expect(await ok(scale)).to.equal('3');
      expect(await fails(['scale', 'widget/scaled', '--replicas=12'])).to.contain('fewer than ten, please');
    });

    it('apply and diff by the server merge lists by their keys, and refuse what another manager has', async () => {
      const apply = (manager: string): readonly string[] => {
        return ['apply', '--server-side', `--field-manager=${manager}`, '-f', '-'];
      };
      const one = widget('merged', { colour: 'red', parts: [{ name: 'a', count: 1 }] });
      await ok(apply('one'), one);
      await ok(apply('two'), widget('merged', { colour: 'red', parts: [{ name: 'b' }] }));
      expect((await read('merged')).spec.parts).to.deep.equal([{ name: 'a', count: 1 }, { name: 'b' }]);
      expect(await ok(['diff', '--server-side', '--field-manager=one', '-f', '-'], one)).to.equal('');
      const other = widget('merged', { colour: 'blue', parts: [{ name: 'b' }] });
      expect(await fails(apply('two'), other)).to.contain('conflict with "one": .spec.colour');
      const shown = await setup.kubectl.run(['diff', '--server-side', '--force-conflicts', '-f', '-'], {
        input: other,
      });
      expect(shown.stdout).to.contain('-  colour: red').and.to.contain('+  colour: blue');
    });

    it('apply, and edit by patches, as merges and as JSON Patch', async () => {
      await ok(['apply', '-f', '-'], widget('edited', { colour: 'red', parts: [{ name: 'a' }] }));
      expect(await ok(['apply', '-f', '-'], widget('edited', { colour: 'blue' }))).to.contain('configured');
      expect((await read('edited')).spec).to.deep.equal({ colour: 'blue', replicas: 1 });
      const operations =
        '[{"op":"test","path":"/spec/colour","value":"blue"},{"op":"replace","path":"/spec/colour","value":"green"}]';
      await ok(['patch', 'wd', 'edited', '--type=json', '-p', operations]);
      expect(await fails(['patch', 'wd', 'edited', '--type=json', '-p', operations])).to.contain('test');
      const editor = { input: '', env: { KUBE_EDITOR: 'sed -i s/green/red/' } };
      expect(await setup.kubectl.ok(['edit', 'wd', 'edited'], editor)).to.contain('edited');
      expect((await read('edited')).spec.colour).to.equal('red');
      expect(await fails(['patch', 'wd', 'edited', '--type=strategic', '-p', '{}'])).to.contain('strategic');
    });

    it('delete of the definition deletes its objects, and the kind is gone', async () => {
      await ok(['delete', 'crd', 'widgets.shop.example.com', '--timeout=20s']);
      expect(await fails(['get', 'widgets'])).to.contain('the server could not find the requested resource');
      await ok(['apply', '-f', '-'], DEFINITION);
      expect(await ok(['get', 'widgets', '-o', 'name'])).to.equal('');
      await ok(['delete', 'crd', 'widgets.shop.example.com', '--timeout=20s']);
    });
  }
}
