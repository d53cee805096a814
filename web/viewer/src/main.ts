import { Page } from "./page";

void new Page().start();
