// The parts of ECharts that our charts use, and nothing else: the bundle carries only what is registered here.
import { BoxplotChart, CustomChart, LineChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendPlainComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BoxplotChart, LineChart, CustomChart, GridComponent, LegendPlainComponent, TooltipComponent, AriaComponent, SVGRenderer]);

export { init };
