import { Empty } from '../../ui/states.js';

export function ObjectPage() {
  return (
    <div class="page">
      <h1>Object</h1>
      <Empty title="Not there yet" />
    </div>
  );
}
