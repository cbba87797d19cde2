import { render } from 'preact';

render(<p>Orthant</p>, document.getElementById('page'));
