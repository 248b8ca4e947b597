/** `oui-elements/elements/oui-runtime/define`: defines `<oui-runtime>`. */
import './elements-wiring.js';
import '../../elements/oui-runtime.define.js';
