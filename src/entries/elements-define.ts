/** `oui-elements/elements/define`: defines every element under its usual name. */
import './elements-wiring.js';
import '../../elements/define.js';
